/**
 * True for the label of a date or time. In this file `words` is a column's Korean label without blanks, such as
 * `소재지도로명주소`; a name in Latin letters is labelled in Korean first.
 */
export function isCalendarWord(words: string): boolean {
  return /일|날짜|시각|시점|시간|진앙시|업데이트|갱신|[dD]ate/.test(words);
}

/** True for the label of a month of a year, such as 계약년월. The month of a year of its own, 1 to 12, has it too. */
export function isMonthWord(words: string): boolean {
  return /(?:[연년](?:도)?월|(?<!개)월|시점)$/.test(stemOf(words));
}

/** True for a code, an identifying number or a phone number: its digits are not a quantity. */
export function isIdentifierWord(words: string): boolean {
  const stem = stemOf(words);
  if (isSequenceWord(words)) return false;
  return (
    isPhoneWord(words) ||
    isPostcodeWord(words) ||
    // A Latin name that has no Korean label keeps its ending: `xyzId 항목`.
    /(?:번호|코드|키|(?<!SS)ID|아이디|식별자|(?:요양|관리|식별|분류)기호|(?:Id|ID|Cd|Code)항목)$/i.test(
      stem,
    )
  );
}

/** True for a time of day, also as `1400`: its digits are not a quantity. */
export function isClockWord(words: string): boolean {
  return stemOf(words).endsWith('시각');
}

/** True for the running number of a row; it is the key of a table that has no better one. */
export function isSequenceWord(words: string): boolean {
  return /^(?:번호|연번|순번|일련번호|순서|No)$/i.test(stemOf(words));
}

/** True for a title or a name: its digits, as in the film `1987`, are not a quantity. */
export function isTitleWord(words: string): boolean {
  return /^(?:상호명?|성명|표제|서명)$|(?:제목|명칭|이름)$/.test(stemOf(words));
}

export function isPhoneWord(words: string): boolean {
  return (
    /전화|연락처|팩스|휴대폰|핸드폰|fax|^tel|phone/i.test(words) &&
    !/여부|유무|전화기|전화국|수$|명$|요금/.test(stemOf(words))
  );
}

export function isPostcodeWord(words: string): boolean {
  return /우편(?:번호|코드)?$/.test(stemOf(words));
}

/** True for a code of something that the record belongs to; it never identifies the record itself. */
export function isForeignCodeWord(words: string): boolean {
  return /(?:기관|자치단체|시도|시군구|구분|분류|지역|도시|노선|종별|유형|상태|교육청|지원청)(?:코드|번호)$/.test(
    stemOf(words),
  );
}

export function isAddressWord(words: string): boolean {
  return /주소|소재지|위치|장소|지번$|^소재$|address/i.test(words) && !notAddress.test(words);
}

/** True for a label that means an address even if the column has no values. */
export function isPlainAddressWord(words: string): boolean {
  const isAddress = /주소$|소재지$/.test(stemOf(words)) && !/상세주소/.test(words);
  return isAddress && !notAddress.test(words);
}

/** True for a street name, which is not an address by itself, although some such columns have whole addresses. */
export function isStreetWord(words: string): boolean {
  return words.endsWith('도로명') && !isAddressWord(words);
}

/** True for a sido, a sigungu or both in one text; the values decide which. */
export function isRegionWord(words: string): boolean {
  return (
    /시도|시·도|시군|군구|자치구|행정구|구군|지역|광역|도시|^구역|^시$|^구$|^구명$|^시명$|^소재지?$/.test(
      words,
    ) &&
    !/교육청|지원청|코드$|번호|분류|유형|기관|본부|단위|여부|방식|난방|용도|설명|내용|특성|인구/.test(
      words,
    )
  );
}

/** True for an office whose name may be that of its region: `해운대구`. */
export function isAuthorityWord(words: string): boolean {
  return /^(?:기관|자치단체|지자체)명?$/.test(words);
}

export function isCoordinateWord(words: string): boolean {
  return /위도|경도|좌표|latitude|longitude|^lat$|^lon$|^lng$/i.test(words);
}

export function isLatitudeWord(words: string): boolean {
  return /위도|latitude|^lat$/i.test(words);
}

export function isLongitudeWord(words: string): boolean {
  return /경도|longitude|^lon$|^lng$/i.test(words);
}

/** True for personal data, such as the names of people: no examples of it are shown. */
export function isPersonWord(words: string): boolean {
  return /성명|대표자|담당자|소유자|신청자|작성자|등록자|원장명|이메일|전자우편|메일주소|생년월일|주민등록|휴대폰|핸드폰/.test(
    words,
  );
}

/** Removes a note in brackets and a number at the end: `대표전화1` becomes `대표전화`. */
export function stemOf(words: string): string {
  return words.replace(/[([].*[)\]]$/, '').replace(/\d+$/, '');
}

const notAddress =
  /홈페이지|누리집|사이트|인터넷|웹|url|메일|전자우편|아이피|ip주소|승강장|여부|구분|코드|번호|위치정보|우편|장소[대중소]분류|분류|유형/i;
