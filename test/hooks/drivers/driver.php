<?php

// Runs the hooks for the tests as driver.py does. As in Laravel, every warning is an exception.

require getenv('HOOKS') . '/Maru.php';

set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    if (error_reporting() & $level) {
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return false;
});

$maru = new Maru((float) getenv('TIMEOUT_MS') / 1000);

$word = fn (bool $value): string => $value ? 'true' : 'false';

/** Ends the process as kill -9 does, between a callback and what follows it. */
$dieNow = function (): void {
    if (getenv('DIE') !== false) {
        exec('kill -9 ' . getmypid());
    }
};

$run = function (string $call, string ...$given) use ($maru, $word, $dieNow): array {
    $late = [];
    $save = function (string $localUserId, string $svcUid, ?string $email) use (&$late, $dieNow): void {
        if (str_ends_with($localUserId, 'unsaved')) {
            throw new RuntimeException($localUserId);
        }
        $late[] = implode('=', array_filter([$localUserId, $svcUid, $email], is_string(...)));
        $dieNow();
    };
    $undo = function (string $localUserId, string $code, string $email) use (&$late, $dieNow): void {
        if (str_ends_with($localUserId, 'unsaved')) {
            throw new RuntimeException($localUserId);
        }
        $late[] = "$localUserId!$code!$email";
        $dieNow();
    };
    switch ($call) {
        case 'register':
            [$email, $id] = array_map(fn (string $each): ?string => $each === '' ? null : $each, $given);
            $isVerified = isset($given[2]) ? $given[2] === 'true' : null;
            $member = $maru->register($email, $id, emailVerified: $isVerified);
            return [$member['svc_uid'] ?? '-', $member['outcome'], $member['code'] ?? '-'];
        case 'settle':
            return [$maru->register($given[0], $given[1], requestedAt: $given[2])['email'] ?? '-'];
        case 'everywhere':
            return [$word($maru->logoutEverywhere(...$given))];
        case 'cookies':
            return $maru->ssoCookies(...$given);
        case 'verify':
            $verdict = $maru->verify(...$given);
            if ($verdict === null) return ['-'];
            if (!$verdict['sign_in_allowed']) return ['no', $verdict['reason']];
            return ['yes', $verdict['membership']['local_user_id'], ...$verdict['entitlements']];
        case 'logout':
            $ended = $maru->logout(...$given);
            return $ended === null ? ['-'] : [$word($ended['revoked']), ...$ended['cookies']];
        case 'leave':
            $left = $maru->leave(...$given);
            return [$left['outcome'], $left['code'] ?? '-'];
        case 'grant':
        case 'revoke':
            $changed = $maru->$call(...$given);
            return [$changed['outcome'], $changed['code'] ?? '-'];
        case 'grant_to':
            $changed = $maru->grant($given[0], $given[1], localUserId: $given[2]);
            return [$changed['outcome'], $changed['code'] ?? '-'];
        case 'revoke_from':
            $changed = $maru->revoke(...$given);
            return [$changed['outcome'], $changed['code'] ?? '-'];
        case 'event':
            [$uid, $event, $eventId, $at] = [...$given, null];
            $logged = $maru->logEvent($uid, $event, ['amount' => 1], $eventId, $at);
            $isDone = $logged['outcome'] === 'done';
            return [$isDone ? $logged['event_id'] : '-', $logged['outcome'], $logged['code'] ?? '-'];
        case 'webhook':
            [$id, $at, $signature, $body] = $given;
            $server = ['HTTP_WEBHOOK_ID' => $id, 'HTTP_WEBHOOK_TIMESTAMP' => $at, 'HTTP_WEBHOOK_SIGNATURE' => $signature];
            return [$word($maru->verifyWebhook($server, $body))];
        case 'flush':
            $report = $maru->flush($save, $undo);
            return [$report['delivered'], $report['pending'], ...$late];
        default:
            $number = fn (string $each): string|int => ctype_digit($each) ? (int) $each : $each;
            $known = array_map(fn (string $each): string|int|null => $each === '' ? null : $number($each), $given);
            $report = $maru->reconcile(array_chunk($known, 3), $save);
            return [implode('/', $report), ...$late];
    }
};

while (($line = fgets(STDIN)) !== false) {
    echo implode("\t", $run(...explode("\t", rtrim($line, "\n")))), "\n";
}
