/**
 * Reads degrees, minutes and seconds as degrees: `37°33'36"N`, `37도 33분 36초`, `37-33-36.5`, `N37 33.6`. South and west
 * are negative. Null for any other text, a plain number included.
 */
export function readDegrees(text: string): number | null {
  if (text.length > lengthMax) return null;
  const match = pattern.exec(text)?.groups;
  if (match === undefined) return null;
  const [minutes, seconds] = [Number(match['minutes']), Number(match['seconds'] ?? 0)];
  if (minutes >= 60 || seconds >= 60) return null;
  if (match['seconds'] !== undefined && match['minutes']!.includes('.')) return null;
  const degrees = Number(match['degrees']) + minutes / 60 + seconds / 3600;
  if (degrees > 180) return null;
  const isNegative = /[SW]|남위|서경/i.test((match['before'] ?? '') + (match['after'] ?? ''));
  return isNegative ? -degrees : degrees;
}

const lengthMax = 40;
const pattern =
  /^(?<before>[NSEW]|[북남]위|[동서]경)? ?(?<degrees>\d{1,3})(?:° ?|˚ ?|º ?|도 ?|[-: ])(?<minutes>\d{1,2}(?:\.\d+)?)(?:['′’‘] ?|분 ?|[-: ]|$)(?:(?<seconds>\d{1,2}(?:\.\d+)?)(?:"|″|”|''|′′|초)?)? ?(?<after>[NSEW])?$/i;
