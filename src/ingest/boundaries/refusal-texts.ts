import type { BilingualText } from '../../contract/language.ts';

/** Sentences of the refusals of boundary files, in both languages. */
export const boundaryTexts = {
  notText: (path: string) =>
    text(
      `${path}: UTF-8로 적은 JSON이 아닙니다. ${remedy.ko}`,
      `${path} is no JSON text in UTF-8. ${remedy.en}`,
    ),
  notJson: (path: string) =>
    text(
      `${path}: JSON이 아니거나 중간에 끊겼습니다. ${remedy.ko}`,
      `${path} is no JSON, or ends in the middle. ${remedy.en}`,
    ),
  unreadable: (path: string) => text(`${path}: 읽을 수 없습니다.`, `${path} cannot be read.`),
  notAreas: (path: string) =>
    text(
      `${path}: TopoJSON도 GeoJSON도 아닙니다. ${remedy.ko}`,
      `${path} is neither TopoJSON nor GeoJSON. ${remedy.en}`,
    ),
  damaged: (path: string, reason: BilingualText) =>
    text(
      `${path}: 손상된 파일입니다. ${reason.ko}. 다시 내려받으세요.`,
      `${path} is damaged: ${reason.en}. Download it again.`,
    ),
  tooLarge: (path: string, reason: BilingualText) =>
    text(
      `${path}: ${reason.ko}. 먼저 단순화하세요: ${simplifyCommand}`,
      `${path} has ${reason.en}. Simplify it first: ${simplifyCommand}`,
    ),
  notDegrees: (path: string) =>
    text(
      `${path}: WGS84 경위도가 아닙니다. 먼저 변환하세요: ${convertCommand}`,
      `${path} is not in degrees of WGS84. Convert it first: ${convertCommand}`,
    ),
  noRegion: (path: string, example: string | null) =>
    text(
      `${path}: 시도나 시군구인 도형이 없습니다${example === null ? '' : `(예: ${example})`}. 시군구 파일을 불러오거나 --name, --code로 속성을 지정하세요.`,
      `No feature of ${path} is a 시도 or 시군구 (${example === null ? 'no name and no code' : `such as ${example}`}). Load a file of 시군구, or name its properties: --name, --code.`,
    ),
} as const;

/** Reasons of a refusal, as its sentence has them. */
export const boundaryReasons = {
  arcWithoutPositions: () =>
    text('아크가 위치의 목록이 아닙니다', 'an arc is no list of positions'),
  arcMissing: (arc: string) => text(`없는 아크입니다: ${arc}`, `there is no arc ${arc}`),
  withoutRings: (type: string) => text(`${type}에 고리가 없습니다`, `a ${type} has no rings`),
  notPosition: () => text('위치가 두 수로 되어 있지 않습니다', 'a position is no pair of numbers'),
  positions: (positionsMax: number) =>
    text(`위치가 ${positionsMax}개보다 많습니다`, `more than ${positionsMax} positions`),
  features: (featuresMax: number) =>
    text(`도형이 ${featuresMax}개보다 많습니다`, `more than ${featuresMax} features`),
  megabytes: (megabytesMax: number) =>
    text(`${megabytesMax} MB보다 큽니다`, `more than ${megabytesMax} MB`),
} as const;

const remedy = text(
  'TopoJSON이나 GeoJSON을 불러오세요. SHP 파일은 ogr2ogr나 mapshaper로 변환할 수 있습니다.',
  'Load TopoJSON or GeoJSON; ogr2ogr and mapshaper convert shapefiles.',
);
const simplifyCommand = 'npx mapshaper FILE -simplify 5% keep-shapes -o OUT';
const convertCommand = 'ogr2ogr -t_srs EPSG:4326 OUT.geojson FILE';

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}
