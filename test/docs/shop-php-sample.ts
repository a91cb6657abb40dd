import { webhookSecret } from './receivers.ts';
import type { ShopSample } from './shop-sample.ts';

const later = `
function deliver(string $messageId, string $kind, array $data): int
{
    [$body, $at] = [json_encode(['type' => $kind, 'data' => $data]), (string) time()];
    $key = base64_decode(substr('${webhookSecret}', 6));
    $signature = 'v1,' . base64_encode(hash_hmac('sha256', "$messageId.$at.$body", $key, true));
    $headers = ['HTTP_WEBHOOK_ID' => $messageId, 'HTTP_WEBHOOK_TIMESTAMP' => $at, 'HTTP_WEBHOOK_SIGNATURE' => $signature];
    return receive_webhook($headers, $body);
}

function joined(string $name): int
{
    $userId = sign_up("$name@php.example");
    confirm($userId, "$name@php.example");
    return $userId;
}

$chan = joined('chan');
$uid = user_of_id($chan)['svc_uid'];
rows("UPDATE users SET svc_uid = 'svc_old' WHERE id = ?", [$chan]);
$moved = ['local_user_id' => (string) $chan, 'svc_uid' => 'svc_late'];
$show('webhook', deliver('p-1', 'membership.moved', $moved), user_of_id($chan)['svc_uid'] === $uid);
$show('webhook', deliver('p-2', 'member.erased', ['svc_uid' => $uid]), user_of_id($chan)['state']);
$show('repeat', deliver('p-2', 'member.erased', ['svc_uid' => $uid]), confirm($chan, 'chan@other.php.example'));
rejoin($chan);
$show('rejoined', user_of_id($chan)['state'], substr(user_of_id($chan)['svc_uid'], 0, 4));
$header = fn (array $cookies): string => implode('; ', array_map(fn ($each) => strtok($each, ';'), $cookies));
[$own, $cookies] = log_in($chan);
$request = function (string $path, array $known) use ($header, $cookies): array {
    [$status, $text, $set] = respond('POST', $path, ['HTTP_COOKIE' => $header($cookies)], $known, '{}');
    return [$status, explode(' ', $text)[1] ?? '', array_map(fn ($each) => strtok($each, '='), array_slice($set, 0, 2))];
};
$show('serves', $request('/', []), $request('/', ['own' => $own['id']]));
$show('ends', $request('/logout', ['own' => $own['id']]), $request('/webhook', [])[0], $request('/', [])[1]);

[$dana, $eun] = [joined('dana'), joined('eun')];
confirm_or_exchange($dana, 'eun@php.example');
rows("UPDATE wishes SET since = '2026-01-01'");
$show('too late', confirm_or_exchange($eun, 'dana@php.example'), user_of_id($eun)['email']);
[$own, $cookies] = log_in($dana);
$cleared = confirm_or_exchange($dana, 'eun@php.example', $own);
$show('exchanged', is_shared($cleared), visit($header($cookies), own_session($own['id']))['user_id'] === $dana);
$show('reserved', confirm(sign_up('fay@php.example'), 'dana@php.example'));
every_minute();
$show('settled', user_of_id($dana)['settled_email'], user_of_id($eun)['settled_email']);
confirm_or_exchange($dana, 'dana@php.example');
$arrivals = array_map(fn ($user) => $header(log_in($user)[1]), [$dana, $eun]);
$trap = stream_socket_server('tcp://127.0.0.1:0');
$shop = strstr(file_get_contents(__FILE__), 'if (1)', true);
file_put_contents('exchange.php', "$shop confirm_or_exchange($eun, 'eun@php.example');");
$address = ['MARU_URL' => 'http://' . stream_socket_get_name($trap, false)];
$process = proc_open([PHP_BINARY, 'exchange.php'], [], $pipes, null, $address + getenv());
$request = stream_socket_accept($trap, 30);
proc_terminate($process, 9);
while (($status = proc_get_status($process))['running']) {
    usleep(1_000);
}
$users = fn (callable $of): array => array_map($of, [$dana, $eun]);
$show('killed', $status['termsig'], $users(fn ($user) => user_of_id($user)['email']));
$show('not settled', $users(fn ($user) => is_shared(log_in($user)[1])));
$show('offered', $users(fn ($user) => (visit($arrivals[(int) ($user === $eun)], null)['user_id'] ?? null) === $user));
// The first minute exchanges the addresses, the next one empties the outbox.
every_minute();
every_minute();
$show('made good', $users(fn ($user) => visit($header(log_in($user)[1]), null)['user_id'] === $user));
log_out_everywhere($dana);
$show('everywhere', own_session($own['id']));

maru()->leave($chan);
rows("UPDATE users SET svc_uid = NULL, since = '2026-01-01T00:00:00Z' WHERE id = ?", [$chan]);
every_night();
$show('missed', user_of_id($chan)['state']);
$gio = joined('gio');
rows("UPDATE users SET email = 'gio@two.php.example' WHERE id = ?", [$gio]);
save_uid($gio, 'svc_one', 'gio@one.php.example');
save_uid($gio, 'svc_two', null);
undo_address($gio, 'invalid_email', 'gio@two.php.example');
$show('two servers', user_of_id($gio)['svc_uid'], user_of_id($gio)['email']);
`;

export const phpShop: ShopSample = {
  page: 'shop-php',
  name: 'PHP',
  runtime: 'php',
  condition: "$task === 'try'",
  later,
  walk: [
    'confirmed [[],"svc_"]',
    'visits as [true,true]',
    'bought [["archive"]]',
    'moved [true,true,null]',
    'taken [null,[]]',
    'refused [[],true]',
    'exchanged [true,true]',
    'refunded [[]]',
    'left ["svc_sso=;",null]',
    'came back [true,"svc_"]',
    'unsettled [0]',
  ],
  laterLines: [
    'webhook [204,true]',
    'webhook [204,"erased"]',
    'repeat [204,[]]',
    'rejoined ["open","svc_"]',
    'serves [[200,"user",["own"]],[200,"user",[]]]',
    'ends [[200,"",["svc_sso","svc_uid"]],400,"guest"]',
    'too late [null,"eun@php.example"]',
    'exchanged [false,true]',
    'reserved [null]',
    'settled ["eun@php.example","dana@php.example"]',
    'killed [9,["dana@php.example","eun@php.example"]]',
    'not settled [[false,false]]',
    'offered [[false,true]]',
    'made good [[true,true]]',
    'everywhere [null]',
    'missed ["erased"]',
    'two servers ["svc_two","gio@one.php.example"]',
  ],
};
