/** Splits the unit from a header: `전용면적(㎡)` → `전용면적` and `㎡`; a bracket without a unit stays in the name. */
export function splitUnit(header: string): { words: string; unit: string | null } {
  const bracket = /^(.*\S)\s*[([]\s*(?:단위\s*[:：]?\s*)?([^()[\]]+?)\s*[)\]]$/s.exec(header);
  if (bracket?.[1] !== undefined && bracket[2] !== undefined && isUnit(bracket[2])) {
    return { words: bracket[1], unit: bracket[2] };
  }
  // R writes every bracket and blank of a header as a dot: 인명피해(명)소계 becomes 인명피해.명.소계.
  const parts = header.split('.');
  const index = parts.findIndex((part, position) => position > 0 && isUnit(part));
  if (index < 0 || !/[가-힣]/.test(parts[0] ?? '')) return { words: header, unit: null };
  return { words: parts.toSpliced(index, 1).join('.'), unit: parts[index] ?? null };
}

/** True if a text is one of the units that the portal's headers give. */
function isUnit(text: string): boolean {
  return units.has(text.trim());
}

const units: ReadonlySet<string> = new Set(
  (
    '명 인 원 천원 만원 백만원 억원 달러 % 퍼센트 개 개소 개교 대 건 회 권 면 석 점 종 세대 가구 호실 실 병상 필지 마리 두 수 그루 ' +
    '시간 분 초 일 개월 년 ㎡ m² m2 ㎢ km² km2 ㎥ m³ m3 ha 평 m ㎜ mm ㎝ cm ㎞ km kg ㎏ g t 톤 L ℓ 리터 ㎘ ' +
    '℃ °C m/s km/h ㎞/h hPa kW ㎾ MW kWh MWh GWh TOE ppm ㎍/㎥ dB 도 층 배 편 곳 부 매 장 본'
  ).split(' '),
);
