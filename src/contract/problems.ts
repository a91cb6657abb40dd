import { fileProblems } from './file-problems.ts';
import { membershipProblems } from './membership-problems.ts';
import { passkeyProblems } from './passkey-problems.ts';
import { problem } from './problem-row.ts';
import { snapshotProblems } from './snapshot-problems.ts';

/** Every problem code of all services, with its status, its title and its remedy. */
export const problems = {
  missing_parameter: problem(400, {
    title: ['필수 매개변수가 없습니다', 'Missing parameter'],
    remedy: ['errors에 적힌 매개변수를 추가합니다.', 'Add the parameters listed in “errors”.'],
  }),
  invalid_parameter: problem(400, {
    title: ['매개변수가 올바르지 않습니다', 'Invalid parameter'],
    remedy: [
      'errors에 적힌 매개변수를 허용되는 값으로 고칩니다.',
      'Correct the parameters listed in “errors”. Each has the accepted values as “allowed”.',
    ],
  }),
  invalid_where: problem(400, {
    title: ['조건을 읽을 수 없습니다', 'Invalid condition'],
    remedy: [
      'errors의 position(0부터 센 글자 위치)에서 expected나 suggestions에 맞게 고칩니다. 문법은 안내서 ‘조건으로 조회하기’에 있습니다.',
      'Correct the condition at the character “position” (counted from 0); “expected” and “suggestions” list what fits there. The guide “Query the data” has the grammar.',
    ],
  }),
  stale_cursor: problem(400, {
    title: ['쓸 수 없는 커서입니다', 'Stale cursor'],
    remedy: [
      'cursor 없이 첫 쪽부터 다시 조회합니다. 커서는 한 스냅샷의 한 조건에만 맞습니다.',
      'Start again without a cursor. A cursor belongs to one snapshot and one query.',
    ],
  }),
  unknown_axis: problem(400, {
    title: ['없는 축입니다', 'Unknown axis'],
    remedy: ['축 코드는 /api/axes에서 확인합니다.', 'Look up the axis codes in /api/axes.'],
  }),
  bad_request: problem(400, {
    title: ['요청을 읽을 수 없습니다', 'Malformed request'],
    remedy: [
      '주소와 헤더, 쿠키의 인코딩을 확인합니다.',
      'Check the encoding of the URL, the headers and the cookies.',
    ],
  }),
  malformed_json: problem(400, {
    title: ['JSON을 읽을 수 없습니다', 'Malformed JSON'],
    remedy: [
      '본문을 JSON 객체로 보냅니다. 목록도 객체의 속성으로 보냅니다.',
      'Send a JSON object as the body; a list is a property of that object.',
    ],
  }),
  browser_call_refused: problem(401, {
    title: ['브라우저에서는 호출할 수 없습니다', 'Browser call refused'],
    remedy: [
      'API 키가 있는 서버에서 호출합니다. 페이지에서는 svc 스크립트를 사용합니다.',
      'Call the endpoint from your server, with the API key. Pages use the svc script.',
    ],
  }),
  missing_api_key: problem(401, {
    title: ['API 키가 없습니다', 'Missing API key'],
    remedy: [
      'x-api-key 헤더에 API 키를 넣어 보냅니다.',
      'Send the API key in the x-api-key header.',
    ],
  }),
  invalid_api_key: problem(401, {
    title: ['API 키가 올바르지 않습니다', 'Invalid API key'],
    remedy: [
      '키가 잘리지 않았는지, 이 서비스에서 발급한 키인지 확인합니다.',
      'Check that the key is complete and was issued by this service.',
    ],
  }),
  expired_api_key: problem(401, {
    title: ['만료된 API 키입니다', 'Expired API key'],
    remedy: ['새로 발급된 키로 바꿉니다.', 'Use the key that replaced the expired one.'],
  }),
  revoked_api_key: problem(401, {
    title: ['폐기된 API 키입니다', 'Revoked API key'],
    remedy: ['운영자에게 새 키를 요청합니다.', 'Request a new key from the operator.'],
  }),
  session_required: problem(401, {
    title: ['로그인이 필요합니다', 'Session required'],
    remedy: [
      '로그인한 뒤 다시 호출합니다. 로그인했다면 페이지가 쿠키 도메인 안에 있는지 확인합니다.',
      'Sign in and retry. If signed in, check that the page is within the cookie domain.',
    ],
  }),
  insufficient_scope: problem(403, {
    title: ['키의 권한이 부족합니다', 'Insufficient scope'],
    remedy: [
      'detail에 적힌 권한이 있는 키를 운영자에게 요청합니다(./maru key issue --scope).',
      'Request a key with the scope named in “detail” from the operator (./maru key issue --scope).',
    ],
  }),
  insufficient_role: problem(403, {
    title: ['운영자의 역할로 할 수 없습니다', 'Insufficient role'],
    remedy: [
      'detail에 적힌 역할을 가진 운영자에게 맡기거나, 소유자에게 역할 변경을 요청합니다.',
      'Leave it to an operator with the role named in “detail”, or have an owner change yours.',
    ],
  }),
  platform_mismatch: problem(403, {
    title: ['키의 플랫폼이 아닙니다', 'Platform mismatch'],
    remedy: [
      'platform에 키의 플랫폼을 적거나, 요청한 플랫폼의 키를 사용합니다.',
      'Send the platform of the key, or use a key of the requested platform.',
    ],
  }),
  platform_disabled: problem(403, {
    title: ['중지된 플랫폼입니다', 'Platform disabled'],
    remedy: [
      '운영자에게 문의합니다(./maru platform enable).',
      'Contact the operator (./maru platform enable).',
    ],
  }),
  origin_not_allowed: problem(403, {
    title: ['허용되지 않은 출처입니다', 'Origin not allowed'],
    remedy: [
      '페이지의 출처를 이 플랫폼에 등록합니다(./maru platform add CODE --add-origin URL).',
      'Register the page’s origin for this platform (./maru platform add CODE --add-origin URL).',
    ],
  }),
  consent_required: problem(403, {
    title: ['제3자 제공 동의가 필요합니다', 'Consent to third-party provision required'],
    remedy: [
      '회원이 동의하면, 정보를 제공하는 회사의 플랫폼이 그 동의를 저장합니다.',
      'The consent of the member must be stored by a platform of the company that provides the data.',
    ],
  }),
  page_stats_disabled: problem(403, {
    title: ['이 페이지에서는 통계를 볼 수 없습니다', 'Statistics closed to this page'],
    remedy: [
      '서버에서 stats:read 권한의 키로 조회합니다. 운영자가 공개할 수 있습니다(page_stats).',
      'Read them from a server with the scope stats:read. The operator can open them (page_stats).',
    ],
  }),
  csrf_rejected: problem(403, {
    title: ['위조가 의심되는 요청입니다', 'Cross-site request rejected'],
    remedy: [
      '출처는 ./maru platform add CODE --add-origin URL로 등록합니다. 헤더는 svc 스크립트가 보냅니다. 빠진 것은 detail에 있습니다.',
      'Register the origin with ./maru platform add CODE --add-origin URL; the svc script sends the headers. “detail” names the missing part.',
    ],
  }),
  uid_mismatch: problem(403, {
    title: ['본인의 svc_uid가 아닙니다', 'svc_uid mismatch'],
    remedy: [
      '페이지는 로그인한 회원의 이벤트만 보낼 수 있습니다. svc_uid를 빼면 그 회원으로 처리합니다.',
      'A page can act for the signed-in member only. Omit svc_uid to use that member.',
    ],
  }),
  email_unverified: problem(403, {
    title: ['확인되지 않은 이메일입니다', 'Email not verified'],
    remedy: [
      '이메일을 확인한 뒤 email_verified: true로 다시 등록합니다.',
      'Verify the email address, then register again with email_verified: true.',
    ],
  }),
  sso_not_enabled: problem(403, {
    title: ['통합 로그인을 쓸 수 없습니다', 'SSO not enabled'],
    remedy: [
      '플랫폼의 자체 로그인을 사용합니다. 쿠키 도메인 밖에서는 회원 등록과 이벤트 기록만 쓸 수 있습니다.',
      'Use the platform’s own login. Outside the cookie domain it can only register members and record events.',
    ],
  }),
  member_suspended: problem(403, {
    title: ['정지된 회원입니다', 'Member suspended'],
    remedy: [
      '운영자가 정지를 해제할 때까지 플랫폼의 자체 로그인을 사용합니다.',
      'Use the platform’s own login until the operator lifts the suspension.',
    ],
  }),
  event_not_allowed: problem(403, {
    title: ['보낼 수 없는 이벤트입니다', 'Event not allowed'],
    remedy: [
      '허용된 플랫폼과 주소로 보냅니다. 카드 발급은 card_issuer 플랫폼이 /bridges/card/events로 보냅니다.',
      'Send the event from an allowed platform and path: a card_issuer platform sends card events to /bridges/card/events.',
    ],
  }),
  not_found: problem(404, {
    title: ['찾을 수 없습니다', 'Not found'],
    remedy: ['주소와 번호를 확인합니다.', 'Check the URL and the id in it.'],
  }),
  member_not_found: problem(404, {
    title: ['회원을 찾을 수 없습니다', 'Member not found'],
    remedy: [
      '먼저 /members/register로 등록합니다. 다른 플랫폼에만 연결된 회원도 같은 응답을 받습니다.',
      'Register the member first, with /members/register. Members linked only to other platforms get the same answer.',
    ],
  }),
  operator_not_found: problem(404, {
    title: ['운영자를 찾을 수 없습니다', 'Operator not found'],
    remedy: [
      '운영자 목록에서 이름을 확인합니다(./maru operator list).',
      'Check the name in the list of operators (./maru operator list).',
    ],
  }),
  method_not_allowed: problem(405, {
    title: ['허용되지 않는 메서드입니다', 'Method not allowed'],
    remedy: ['Allow 헤더에 적힌 메서드를 사용합니다.', 'Use a method listed in the Allow header.'],
  }),
  request_timeout: problem(408, {
    title: ['요청이 제때 끝나지 않았습니다', 'Request timeout'],
    remedy: ['다시 보냅니다.', 'Retry the request.'],
  }),
  version_conflict: problem(409, {
    title: ['그 사이에 값이 바뀌었습니다', 'Version conflict'],
    remedy: ['현재 값을 조회한 뒤 다시 보냅니다.', 'Fetch the current value and retry.'],
  }),
  event_id_conflict: problem(409, {
    title: ['다른 이벤트의 event_id입니다', 'Event id conflict'],
    remedy: [
      '같은 event_id로 다른 회원, 종류나 meta의 이벤트가 이미 있습니다. 이벤트마다 고유한 event_id를 보냅니다.',
      'An event of another member, kind or meta has this event_id. Send a unique event_id with each event.',
    ],
  }),
  operator_exists: problem(409, {
    title: ['이미 있는 운영자입니다', 'Operator exists'],
    remedy: ['다른 이름으로 추가합니다.', 'Add the operator under another name.'],
  }),
  last_owner: problem(409, {
    title: ['마지막 소유자입니다', 'Last owner'],
    remedy: [
      '다른 운영자를 먼저 소유자로 지정하고, 그 운영자가 로그인한 뒤 다시 시도합니다.',
      'Make another operator an owner first, and retry once they have signed in.',
    ],
  }),
  ambiguous_session: problem(409, {
    title: ['세션이 둘 이상입니다', 'Ambiguous session'],
    remedy: [
      '사용자가 로그아웃한 뒤 다시 로그인하게 합니다.',
      'Have the user log out and log in again.',
    ],
  }),
  snapshot_gone: problem(410, {
    title: ['더는 보관하지 않는 스냅샷입니다', 'Snapshot no longer stored'],
    remedy: [
      'suggestions에 있는 스냅샷이나 주소를 쓰거나, since나 snapshot을 생략합니다.',
      'Use a snapshot or address from “suggestions”, or leave out the parameter “since” or “snapshot”.',
    ],
  }),
  member_erased: problem(410, {
    title: ['삭제된 회원입니다', 'Member erased'],
    remedy: [
      '삭제되었거나 이 플랫폼을 떠난 회원입니다. 다시 보내지 않습니다. 새로 가입하면 requested_at 없이 등록합니다.',
      'The member was erased or left the platform: do not retry. If the person signs up again, register them without requested_at.',
    ],
  }),
  malformed_row: problem(422, {
    title: ['행을 읽을 수 없습니다', 'Malformed row'],
    remedy: [
      '거부된 행 파일에서 그 행을 UTF-8의 JSON 객체나 머리글과 열 수가 같은 CSV 행으로 고쳐 다시 가져옵니다.',
      'Correct the row in the file of refused rows (a JSON object in UTF-8, or a CSV row with as many columns as the header), and import that file.',
    ],
  }),
  body_too_large: problem(413, {
    title: ['본문이 너무 큽니다', 'Body too large'],
    remedy: [
      '본문을 나누어 보냅니다. 한도는 detail에 있습니다.',
      'Split the body; “detail” names the limit.',
    ],
  }),
  uri_too_long: problem(414, {
    title: ['주소가 너무 깁니다', 'URI too long'],
    remedy: ['매개변수를 줄입니다.', 'Shorten the parameters.'],
  }),
  unsupported_media_type: problem(415, {
    title: ['JSON만 받습니다', 'Unsupported media type'],
    remedy: [
      'Content-Type: application/json으로, 압축하지 않고 보냅니다.',
      'Send Content-Type: application/json, without compression.',
    ],
  }),
  validation_failed: problem(422, {
    title: ['값이 올바르지 않습니다', 'Validation failed'],
    remedy: [
      'errors에 적힌 값을 고칩니다. pointer는 값의 위치, fix는 고치는 방법입니다.',
      'Correct the values listed in “errors”: “pointer” is the position of a value, and “fix” the way to correct it.',
    ],
  }),
  invalid_email: problem(422, {
    title: ['이메일이 올바르지 않습니다', 'Invalid email'],
    remedy: [
      '사용자가 입력한 이메일을 그대로 보냈는지 확인합니다.',
      'Check that the email address is sent as the user typed it.',
    ],
  }),
  unknown_platform: problem(422, {
    title: ['없는 플랫폼입니다', 'Unknown platform'],
    remedy: [
      '코드를 확인합니다. 등록된 코드는 ./maru platform list로 봅니다.',
      'Check the code; ./maru platform list shows the registered ones.',
    ],
  }),
  invalid_event: problem(422, {
    title: ['없는 이벤트입니다', 'Invalid event'],
    remedy: [
      'visit, login, purchase, referral 중 하나를 보냅니다.',
      'Send one of visit, login, purchase, referral.',
    ],
  }),
  unknown_entitlement: problem(422, {
    title: ['없는 이용권입니다', 'Unknown entitlement'],
    remedy: [
      '운영자가 설정한 코드 중 하나를 보냅니다. 설정이 없으면 어떤 코드든 됩니다.',
      'Send a code that the operator configured; without a configuration, any code will do.',
    ],
  }),
  unknown_purpose: problem(422, {
    title: ['없는 동의 목적입니다', 'Unknown purpose'],
    remedy: [
      '운영자가 정한 동의 목적 중 하나를 보냅니다. 정한 것이 없으면 어떤 코드든 됩니다.',
      'Send a purpose that the operator defined; while none is defined, any code will do.',
    ],
  }),
  too_many_consents: problem(422, {
    title: ['동의 기록이 너무 많습니다', 'Too many records of consents'],
    remedy: [
      '같은 동의를 되풀이해 보내지 않습니다. 철회는 언제나 저장됩니다.',
      'Do not send the same consents over and over. Withdrawals are always stored.',
    ],
  }),
  invalid_period: problem(422, {
    title: ['기간이 올바르지 않습니다', 'Invalid period'],
    remedy: ['from보다 늦은 until을 보냅니다.', 'Send an “until” that is later than “from”.'],
  }),
  too_many_entitlements: problem(422, {
    title: ['이용권이 너무 많습니다', 'Too many entitlements'],
    remedy: [
      '쓰지 않는 이용권을 먼저 회수합니다.',
      'Revoke entitlements that are no longer needed first.',
    ],
  }),
  forbidden_content: problem(422, {
    title: ['저장할 수 없는 내용이 있습니다', 'Forbidden content'],
    remedy: [
      'errors에 적힌 카드 번호나 주민등록번호를 빼고 보냅니다.',
      'Remove the card or resident registration number that “errors” points to.',
    ],
  }),
  rate_limited: problem(429, {
    title: ['요청이 너무 많습니다', 'Too many requests'],
    remedy: [
      'Retry-After에 적힌 시간(초)이 지난 뒤 다시 보냅니다.',
      'Retry after the seconds given in Retry-After.',
    ],
  }),
  headers_too_large: problem(431, {
    title: ['요청 헤더가 너무 큽니다', 'Request headers too large'],
    remedy: ['쿠키와 헤더를 줄입니다.', 'Send fewer or shorter cookies and headers.'],
  }),
  internal: problem(500, {
    title: ['서버 내부 오류입니다', 'Internal error'],
    remedy: [
      '운영자에게 requestId를 알립니다. 로그에 같은 값이 있습니다.',
      'Report the requestId to the operator; the log has the same value.',
    ],
  }),
  no_snapshot: problem(503, {
    title: ['아직 준비된 데이터가 없습니다', 'No snapshot yet'],
    remedy: [
      'Retry-After에 적힌 시간(초)이 지난 뒤 다시 보냅니다. 운영자는 ./maru load나 ./maru collect로 데이터를 넣습니다.',
      'Retry after the seconds given in Retry-After. The operator imports data with ./maru load or ./maru collect.',
    ],
  }),
  overloaded: problem(503, {
    title: ['잠시 요청이 몰리고 있습니다', 'Overloaded'],
    remedy: [
      'Retry-After에 적힌 시간(초)이 지난 뒤 다시 보냅니다.',
      'Retry after the seconds given in Retry-After.',
    ],
  }),
  storage_unavailable: problem(503, {
    title: ['저장소를 쓸 수 없습니다', 'Storage unavailable'],
    remedy: [
      'Retry-After에 적힌 시간(초)이 지난 뒤 다시 보냅니다. 계속되면 운영자가 디스크를 확인합니다.',
      'Retry after the seconds given in Retry-After. If it persists, the operator checks the disk.',
    ],
  }),
  outcome_unknown: problem(503, {
    title: ['저장되었는지 알 수 없습니다', 'Outcome unknown'],
    remedy: [
      '같은 요청을 Retry-After에 적힌 시간(초) 뒤에 다시 보냅니다. 이미 저장되었으면 한 번만 반영됩니다. 이벤트는 같은 event_id로 보냅니다.',
      'Repeat the request after the seconds given in Retry-After, an event with the same event_id. If the first one was stored, the repeat changes nothing.',
    ],
  }),
  ...fileProblems,
  ...membershipProblems,
  ...passkeyProblems,
  ...snapshotProblems,
};

export type ProblemCode = keyof typeof problems;
