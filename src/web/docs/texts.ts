/** The words of the reference in both languages. */
export const referenceTexts = {
  ko: {
    title: '사용 설명 – 마루',
    heading: '조회 서비스 사용 설명',
    lead: (version: string) =>
      `인터페이스 ${version}. 모두 GET이고, 열쇠도 가입도 필요 없습니다. 답은 JSON이며 한글은 그대로 나옵니다.`,
    spreadsheet:
      'CSV의 값은 원본 그대로이며, =로 시작하는 값도 바꾸지 않습니다. 엑셀에서 바로 열면 수식으로 실행될 수 있으니, 낯선 데이터는 데이터 가져오기에서 모든 열을 텍스트로 불러오세요.',
    contents: '차례',
    parameters: '매개변수',
    parameter: '매개변수',
    values: '값',
    meaning: '뜻',
    required: '글자 (필수)',
    text: '글자',
    fallback: '기본',
    mayAnswer: '오류:',
    answer: '답의 모양 (JSON Schema)',
    problems: '오류',
    problemLead:
      '오류는 모두 RFC 9457 problem+json입니다. 설명은 한국어가 기본이고 Accept-Language: en이면 영어이며, code는 바뀌지 않습니다.',
  },
  en: {
    title: 'Reference – Maru',
    heading: 'Reference of the lookup service',
    lead: (version: string) =>
      `Interface ${version}. Everything is GET; no key, no sign-up. Answers are JSON with Hangul as it is.`,
    spreadsheet:
      'Values in CSV are those of the source, unchanged, also those that begin with =. Excel may run such a value as a formula when it opens the file: import data you do not know with every column as text.',
    contents: 'Contents',
    parameters: 'Parameters',
    parameter: 'Parameter',
    values: 'Values',
    meaning: 'Meaning',
    required: 'text (required)',
    text: 'text',
    fallback: 'default',
    mayAnswer: 'Errors:',
    answer: 'Shape of the answer (JSON Schema)',
    problems: 'Errors',
    problemLead:
      'Every error is RFC 9457 problem+json, in Korean or under Accept-Language: en in English; its code stays the same.',
  },
} as const;
