import type { BilingualText, ProblemCode } from '../../kernel/problem.ts';
import type { MemberProblemCode } from '../../members/problem.ts';

/** For every code what the caller does about it; its title alone tells nobody that. */
export const remedies: Readonly<Record<ProblemCode | MemberProblemCode, BilingualText>> = {
  missing_parameter: both(
    'errors가 말하는 매개변수를 더합니다.',
    'Add the parameter that errors names.',
  ),
  invalid_parameter: both(
    'errors에 매개변수와 쓸 수 있는 값이 있습니다.',
    'errors names the parameter and what it may be.',
  ),
  unknown_axis: both('축의 코드는 /api/axes에 있습니다.', 'The codes of axes are in /api/axes.'),
  bad_request: both(
    '주소와 헤더의 글자를 확인합니다.',
    'Look at the characters of the address and the headers.',
  ),
  malformed_json: both(
    '본문을 { }로 된 JSON 객체로 보냅니다. 목록도 이름을 붙여 그 안에 넣습니다.',
    'Send a JSON object in braces; a list, too, goes in there under its name.',
  ),
  not_found: both('주소를 확인합니다.', 'Look at the address.'),
  method_not_allowed: both(
    'Allow 헤더에 적힌 메서드로 부릅니다.',
    'Call it by a method in the header Allow.',
  ),
  request_timeout: both('다시 보냅니다.', 'Send it again.'),
  body_too_large: both(
    '나누어 보냅니다. 한도는 detail에 있습니다.',
    'Send it in parts; detail says how large one may be.',
  ),
  uri_too_long: both('조건을 줄입니다.', 'Ask with fewer conditions.'),
  unsupported_media_type: both(
    'Content-Type: application/json으로, 압축하지 않고 보냅니다.',
    'Send it as Content-Type: application/json, not compressed.',
  ),
  headers_too_large: both('쿠키와 헤더를 줄입니다.', 'Send fewer cookies and headers.'),
  no_snapshot: both(
    'Retry-After만큼 기다립니다. 운영자는 ./maru load나 collect로 데이터를 담습니다.',
    'Wait as long as Retry-After says; the operator holds data by ./maru load or collect.',
  ),
  internal: both(
    'requestId를 운영자에게 알립니다. 로그에 같은 번호가 있습니다.',
    'Tell the operator the requestId: the log has the same.',
  ),
  browser_call_refused: both(
    '키를 가진 여러분의 서버에서 부릅니다. 페이지에서는 svc 스크립트를 씁니다.',
    'Call it from your server, which has the key; a page uses the script svc.',
  ),
  missing_api_key: both('x-api-key 헤더에 키를 넣습니다.', 'Send the key in the header x-api-key.'),
  invalid_api_key: both(
    '키를 빠짐없이 옮겼는지, 이 서비스에서 발급한 키인지 확인합니다.',
    'See that the key is complete, and that this very service issued it.',
  ),
  expired_api_key: both('새로 받은 키로 바꿉니다.', 'Use the key that replaced it.'),
  revoked_api_key: both('운영자에게 새 키를 받습니다.', 'Ask the operator for a new key.'),
  session_required: both(
    '방문자가 로그인하지 않았거나, 다른 도메인이라 쿠키가 오지 않았습니다.',
    'Nobody is signed in, or the page lies where the cookie is not sent.',
  ),
  insufficient_scope: both(
    '운영자에게 detail에 적힌 권한이 있는 키를 받습니다(./maru key issue --scope).',
    'Ask the operator for a key with the scope in detail (./maru key issue --scope).',
  ),
  platform_mismatch: both(
    'platform에 키의 플랫폼을 적거나, 그 플랫폼의 키를 씁니다.',
    'Send the platform of the key, or use a key of that platform.',
  ),
  platform_disabled: both(
    '운영자에게 문의합니다(./maru platform enable).',
    'Ask the operator (./maru platform enable).',
  ),
  origin_not_allowed: both(
    '페이지의 출처를 이 플랫폼에 등록합니다(./maru platform add CODE --add-origin URL).',
    'Register the page’s origin for this platform (./maru platform add CODE --add-origin URL).',
  ),
  csrf_rejected: both(
    'detail에 없는 것이 적혀 있습니다. 출처는 ./maru platform add CODE --add-origin URL로 등록하고, 헤더는 svc 스크립트가 붙입니다.',
    'detail says what is lacking: an origin is registered by ./maru platform add CODE --add-origin URL, the headers are sent by the script svc.',
  ),
  uid_mismatch: both(
    '페이지에서는 로그인한 본인의 일만 보낼 수 있습니다. svc_uid를 빼면 본인으로 여깁니다.',
    'A page sends for its own member only; without svc_uid that is who is meant.',
  ),
  email_unverified: both(
    '이메일을 확인한 다음 email_verified: true로 다시 등록합니다.',
    'Verify the address, then register again with email_verified: true.',
  ),
  sso_not_enabled: both(
    '쿠키 도메인 밖의 플랫폼입니다. 등록과 활동 기록만 쓸 수 있습니다.',
    'The platform lies outside the cookie domain: it can register and log events.',
  ),
  member_suspended: both(
    '운영자가 풀 때까지 통합 로그인이 되지 않습니다. 여러분의 로그인은 그대로 됩니다.',
    'No single sign-on until the operator ends the suspension; your own login goes on.',
  ),
  event_not_allowed: both(
    '이 주소나 플랫폼으로 보낼 수 없는 이벤트입니다. 카드 발급은 card_issuer 플랫폼이 /bridges/card/events로 보냅니다.',
    'Another address or platform sends this event: a card is issued by a card_issuer at /bridges/card/events.',
  ),
  member_not_found: both(
    '먼저 /members/register로 등록합니다. 다른 플랫폼의 회원도 이렇게 답합니다.',
    'Register first, at /members/register; a member of other platforms alone is answered so, too.',
  ),
  version_conflict: both(
    '지금 값을 조회한 다음 다시 보냅니다.',
    'Look up the value of now, then send again.',
  ),
  ambiguous_session: both(
    '로그아웃한 다음 다시 로그인하게 합니다.',
    'Let the visitor log out and in again.',
  ),
  member_erased: both(
    '본인이 삭제를 요청한 회원입니다. 다시 보내지 않습니다.',
    'The member asked to be erased: do not send it again.',
  ),
  validation_failed: both(
    'errors의 pointer가 자리를, fix가 고칠 방법을 말합니다.',
    'In errors, pointer says where and fix says how.',
  ),
  invalid_email: both(
    '이메일을 사용자가 적은 그대로 보냈는지 확인합니다.',
    'See that the address is sent as the user wrote it.',
  ),
  unknown_platform: both(
    '코드를 확인합니다. 등록된 코드는 ./maru platform list에 있습니다.',
    'Look at the code; ./maru platform list has those that are registered.',
  ),
  invalid_event: both(
    'visit, login, purchase, referral 가운데 하나를 보냅니다.',
    'Send one of visit, login, purchase, referral.',
  ),
  forbidden_content: both(
    'errors가 가리키는 카드 번호나 주민등록번호를 빼고 보냅니다.',
    'Leave out the card or resident number that errors points to.',
  ),
  rate_limited: both(
    'Retry-After만큼 기다린 다음 다시 보냅니다.',
    'Send it again after as long as Retry-After says.',
  ),
  overloaded: both(
    'Retry-After만큼 기다린 다음 다시 보냅니다.',
    'Send it again after as long as Retry-After says.',
  ),
  storage_unavailable: both(
    'Retry-After만큼 기다린 다음 다시 보냅니다. 계속되면 운영자가 디스크를 살핍니다.',
    'Send it again after as long as Retry-After says; if it lasts, the operator looks at the disk.',
  ),
};

function both(ko: string, en: string): BilingualText {
  return { ko, en };
}
