import type { BilingualText } from '../../contract/language.ts';
import type { RefusalCode } from './refused.ts';

/**
 * The message of a refusal in both languages: in Korean its reason, with the English message where that has details such
 * as a limit or a name.
 */
export function refusalText(code: string, message: string): BilingualText {
  const reason = code in reasons ? reasons[code as RefusalCode] : '처리하지 못했습니다.';
  return { ko: withoutDetails.has(code) ? reason : `${reason} (${message})`, en: message };
}

const withoutDetails: ReadonlySet<string> = new Set(['html_page', 'no_records', 'changed']);

const reasons: Readonly<Record<RefusalCode, string>> = {
  empty: '비어 있습니다. 다시 내려받으세요.',
  truncated: '파일이 중간에 끊겼습니다. 다시 내려받으세요.',
  damaged: '손상되어 읽을 수 없습니다. 다시 내려받으세요.',
  encrypted: '암호가 걸려 있습니다. 암호를 풀고 저장한 뒤 다시 불러오세요.',
  not_a_file: '일반 파일이 아닙니다.',
  unreadable: '파일을 열 수 없습니다. 권한과 이름을 확인하세요.',
  changed: '읽는 동안 파일이 바뀌었습니다. 다시 불러오세요.',
  html_page: '데이터가 아니라 웹 페이지입니다. 로그인했는지 확인하고 다시 내려받으세요.',
  portal_error: '데이터가 아니라 포털의 오류 응답입니다.',
  no_records: '레코드가 없는 정상 응답입니다. 다른 조건으로 다시 요청하세요.',
  zip_bomb: '압축을 풀면 지나치게 커지는 파일입니다.',
  path_outside: '압축 파일이 바깥 폴더를 가리킵니다.',
  binary: '텍스트가 아닌 파일입니다. CSV나 XLSX로 저장하세요.',
  document:
    '데이터가 아니라 문서(HWP, HWPX, PDF 등)입니다. 포털에서 같은 데이터셋의 CSV나 XLSX 파일을 찾거나, 문서의 표를 XLSX나 CSV로 저장하세요.',
  unsupported: '지원하지 않는 형식입니다. CSV나 XLSX로 저장하세요.',
  not_a_table: '표가 없습니다.',
  too_large: '한도보다 큽니다.',
};
