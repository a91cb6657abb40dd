<?php

declare(strict_types=1);

/**
 * Hooks of the members service of Maru, for PHP 8.1 or newer with its curl extension. Copy this file; it needs no
 * package.
 *
 *     $maru = new Maru();
 *     $member = $maru->register('asha@example.com', '77'); // after a confirmed sign-up, and a change of address
 *     if ($member['svc_uid'] !== null) {
 *         save($member['svc_uid'], $member['email']);
 *     }
 *
 * No method throws, and none takes longer than the timeout, whatever the service answers. After a time-out calls fail
 * at once for some seconds. A failure is logged (`error_log`). `register`, `leave`, `logEvent`, `grant` and `revoke`
 * return an array with an `outcome`:
 *
 *     done     the service has done it
 *     waiting  it is in the outbox, and `flush` sends it
 *     refused  it can never succeed; `code` has the reason
 *     lost     it was not sent, and is not in an outbox
 *
 * The settings are environment variables:
 *
 *     MARU_URL             address of the members service, such as https://id.example.com
 *     MARU_API_KEY         the platform's key, svck_...
 *     MARU_PLATFORM        the platform's code
 *     MARU_ORIGIN          one of the platform's registered origins, for logout
 *     MARU_OUTBOX          optional folder of undelivered calls, outside the web root; all processes can share it
 *     MARU_COOKIE_DOMAIN   domain of the session cookies, such as example.com; empty for those of one host
 *     MARU_WEBHOOK_SECRET  optional secret of the webhook endpoint, whsec_...
 */
final class Maru
{
    private const ANSWER_BYTES_MAX = 1_048_576;
    private const OUTBOX_FILES_MAX = 10_000;
    private const HASHES_PER_CALL = 1_000;
    private const REGISTRATIONS_PER_CALL = 500;
    private const TOKENS_MAX = 8;
    private const WEBHOOK_TOLERANCE_S = 300;
    private const FAILURES_IN_A_ROW_MAX = 3;
    private const ROUNDS_MAX = 5;
    private const PAUSE_S = 10;
    private const DRAFT_AGE_MAX_MS = 3_600_000;
    private const EXCHANGE_MS_MAX = 3_600_000;
    private const NOT_TAKEN = 'the refusal was not taken';
    // From here on a number is milliseconds: as seconds it is the year 5138.
    private const MILLISECONDS_FROM = 100_000_000_000;
    private const TIME = '/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/D';
    private const OUTBOX_NAME = '/^[0-9]{13}-[0-9a-f]{8}-([0-9a-f]{16})\.json$/';
    private const UNSCOPED = 'insufficient_scope';
    private const GRANT = 'PUT /members/{svc_uid}/entitlements/{code}';
    private const REVOKE = 'DELETE /members/{svc_uid}/entitlements/{code}';
    private const NO_ZONE = 'no time with a zone, such as 2026-11-22T09:00:00Z';
    private const REVOKE_SESSIONS = '/auth/sso/revoke';
    private const NO_SESSION = [
        'active' => false, 'svc_uid' => null, 'session_id' => null, 'tier' => null,
        'sign_in_allowed' => false, 'reason' => 'session_ended', 'membership' => null,
        'entitlements' => [],
    ];

    public function __construct(private readonly float $timeout = 3.0)
    {
    }

    /**
     * Registers a user after a sign-up or a change of address: the answer, with `outcome`, `code`, `svc_uid` and `email`.
     * From then on the user is let in to the accounts with that address on other platforms. Call it once the address is
     * confirmed; before that, give `emailVerified: false`. `$consents` are those of the sign-up. `$requestedAt` is the
     * time of the sign-up, for a call that comes later: who left since stays erased. `svc_uid` is null unless the
     * outcome is `done`: that of another user's address is not for this user. `email` is the address that the service
     * has taken; null, too, if a later registration of the user counts.
     *
     * @param array<string, mixed> $extra
     * @param list<array<string, mixed>>|null $consents
     * @return array<string, mixed>
     */
    public function register(
        ?string $email,
        string|int|null $localUserId,
        array $extra = [],
        ?bool $emailVerified = null,
        ?array $consents = null,
        string|int|float|DateTimeInterface|null $requestedAt = null,
    ): array {
        $failure = 'member not registered';
        $late = [];
        if ($requestedAt !== null) {
            $at = $this->guarded($failure, fn (): string => self::timeText($requestedAt));
            if ($at === null) {
                return ['outcome' => 'refused', 'code' => 'requested_at', 'svc_uid' => null, 'email' => null];
            }
            $late = ['requested_at' => $at];
        }
        $body = [
            'email' => $email,
            'platform' => self::setting('MARU_PLATFORM'),
            'local_user_id' => (string) $localUserId,
            'extra' => (object) $extra,
            ...($emailVerified === null ? [] : ['email_verified' => $emailVerified]),
            ...($consents === null ? [] : ['consents' => $consents]),
            ...$late,
        ];
        return ['svc_uid' => null, 'email' => null, ...$this->deliver($failure, '/members/register', $body)];
    }

    /**
     * Ends the membership of a user who closed the account. `done` also if there is none.
     *
     * @return array<string, mixed>
     */
    public function leave(string|int|null $localUserId): array
    {
        $body = ['local_user_id' => (string) $localUserId];
        return $this->deliver('member not removed', '/members/leave', $body);
    }

    /**
     * Logs a visit, login, purchase or referral. An event id of your own, such as an order number, counts once. `lost`
     * with the code `no_svc_uid` for a user who has none yet: log the event again once it is saved, with the time at
     * which it occurred, as `reconcile` takes it.
     *
     * @param array<string, mixed> $meta
     * @return array<string, mixed>
     */
    public function logEvent(
        ?string $svcUid,
        string $event,
        array $meta = [],
        ?string $eventId = null,
        string|int|float|DateTimeInterface|null $occurredAt = null,
    ): array {
        if ((string) $svcUid === '') {
            $about = $eventId === null ? '' : ': ' . self::about(['event_id' => $eventId]);
            self::warn("event not logged$about", new MaruFailure('the user has no svc_uid yet'));
            return ['outcome' => 'lost', 'code' => 'no_svc_uid', 'event_id' => $eventId];
        }
        [$failure, $refusal] = ['event not logged', null];
        try {
            $at = $occurredAt === null ? self::now() : self::timeText($occurredAt);
        } catch (Throwable) {
            [$at, $failure, $refusal] = [$occurredAt, "$failure, " . self::NO_ZONE, 'occurred_at'];
        }
        $eventId ??= self::random(16);
        $result = $this->deliver($failure, '/members/events', [
            'svc_uid' => $svcUid,
            'platform' => self::setting('MARU_PLATFORM'),
            'event' => $event,
            'meta' => (object) $meta,
            'event_id' => $eventId,
            'occurred_at' => $at,
        ], $refusal);
        return ['event_id' => $eventId, ...$result];
    }

    /**
     * Grants an entitlement, such as after a payment: `$since` a time or from now on, `$until` a time or without end.
     * Times are as `reconcile` takes them. A repeat changes nothing. `lost` with the code `no_svc_uid` for a user who has
     * none yet: grant it again once it is saved. With `$localUserId` it reaches no other user who has the svc_uid by now.
     * The key needs the scope `members:entitle`.
     *
     * @return array<string, mixed>
     */
    public function grant(
        ?string $svcUid,
        string $code,
        string|int|float|DateTimeInterface|null $until = null,
        string|int|float|DateTimeInterface|null $since = null,
        string|int|null $localUserId = null,
    ): array {
        $period = ['until' => $until, 'from' => $since];
        return $this->entitle('entitlement not granted', self::GRANT, $svcUid, $code, $period, $localUserId);
    }

    /**
     * Ends what this platform granted of a code, such as after a refund. `done` also if there is nothing.
     *
     * @return array<string, mixed>
     */
    public function revoke(?string $svcUid, string $code, string|int|null $localUserId = null): array
    {
        return $this->entitle('entitlement not revoked', self::REVOKE, $svcUid, $code, [], $localUserId);
    }

    /**
     * @param array<string, mixed> $period
     * @return array<string, mixed>
     */
    private function entitle(
        string $failure,
        string $path,
        ?string $svcUid,
        string $code,
        array $period,
        string|int|null $localUserId,
    ): array {
        if ((string) $svcUid === '') {
            self::warn("$failure: " . self::about(['code' => $code]), new MaruFailure('the user has no svc_uid yet'));
            return ['outcome' => 'lost', 'code' => 'no_svc_uid'];
        }
        $times = array_filter($period, fn (mixed $at): bool => $at !== null);
        $refusal = null;
        if (preg_match('/^[a-z0-9][a-z0-9._-]{0,63}$/D', $code) !== 1) {
            [$failure, $refusal] = ["$failure, a code is small letters, digits and ._-", 'unknown_entitlement'];
        } else {
            try {
                $times = array_map(self::timeText(...), $times);
            } catch (Throwable) {
                [$failure, $refusal] = ["$failure, " . self::NO_ZONE, 'invalid_period'];
            }
        }
        $user = $localUserId === null ? [] : ['expected_local_user_id' => (string) $localUserId];
        return $this->deliver($failure, $path, ['svc_uid' => $svcUid, 'code' => $code, ...$times, ...$user], $refusal);
    }

    /**
     * Signs the user in on all platforms. Send each `Set-Cookie` value as its own header; `relay` does so. The first
     * begins with `svc_sso=svcs_`. Otherwise there is no shared session, and they clear an earlier person's.
     *
     * @return list<string>
     */
    public function ssoCookies(?string $email, string|int|null $localUserId): array
    {
        return $this->guarded('no single sign-on for a login', function () use ($email, $localUserId): array {
            $platform = self::setting('MARU_PLATFORM');
            $body = ['email' => $email, 'platform' => $platform, 'local_user_id' => (string) $localUserId];
            self::requireId($body);
            return $this->call('/auth/sso/issue', $body, $this->timeout)[1];
        }) ?: $this->clearedCookies();
    }

    /**
     * `Set-Cookie` values for a login without `ssoCookies`. They clear the session of an earlier person.
     *
     * @return list<string>
     */
    public function clearedCookies(): array
    {
        $own = self::setting('MARU_COOKIE_DOMAIN');
        $cookies = [];
        foreach ($own === '' ? [''] : ["Domain=$own; ", ''] as $domain) {
            $cookies[] = "svc_sso=; {$domain}Path=/; Max-Age=0; HttpOnly; SameSite=Lax";
            $cookies[] = "svc_uid=; {$domain}Path=/; Max-Age=0; SameSite=Lax";
        }
        return $cookies;
    }

    /**
     * Sends cookies with the response of plain PHP. A framework has its own way to append a header.
     *
     * @param list<string> $cookies
     */
    public static function relay(array $cookies): void
    {
        foreach (headers_sent() ? [] : $cookies as $cookie) {
            header("Set-Cookie: $cookie", false);
        }
    }

    /**
     * Verifies the `Cookie` header of a visitor. Log in `membership.local_user_id` if `sign_in_allowed` is true.
     * Null if the service was not reached: your own session counts then. While a `register` or `leave` of the user waits
     * in the outbox, the address may be another person's: nobody is signed in as the user.
     *
     * @return array<string, mixed>|null
     */
    public function verify(?string $cookie): ?array
    {
        return $this->guarded('session not verified', function () use ($cookie): array {
            $endsAt = microtime(true) + $this->timeout;
            $tokens = self::tokens($cookie);
            // Read first: a call that is delivered meanwhile can be newer than the verdict.
            $names = $tokens === [] ? [] : $this->outboxNames();
            $active = [];
            foreach ($tokens as $token) {
                [$verdict] = $this->call('/auth/sso/verify', ['token' => $token], $endsAt - microtime(true));
                if ($verdict['active']) {
                    $active[$verdict['svc_uid']] ??= $verdict;
                }
            }
            // Sessions of two members are ambiguous.
            return count($active) === 1 ? self::settled(reset($active), $names) : self::NO_SESSION;
        });
    }

    /**
     * Ends the session in a `Cookie` header: `revoked`, and the `cookies` to relay, which clear the pair. Null if the
     * service was not reached: the shared session is still live. The scope may be `all`, for all shared ones. Without a
     * session in the header there is nothing to end: `logoutEverywhere` ends those of other devices.
     *
     * @return array{revoked: bool, cookies: list<string>}|null
     */
    public function logout(?string $cookie, string $scope = 'one'): ?array
    {
        return $this->guarded('shared session not ended', function () use ($cookie, $scope): array {
            $pairs = array_map(fn (string $token): string => "svc_sso=$token", self::tokens($cookie));
            if ($pairs === []) {
                return ['revoked' => false, 'cookies' => $this->clearedCookies()];
            }
            [$answer, $cookies] = $this->call('/auth/logout', ['scope' => $scope], $this->timeout, [
                'cookie: ' . implode('; ', $pairs),
                'origin: ' . self::setting('MARU_ORIGIN'),
                'x-svc-client: Maru.php',
            ]);
            return ['revoked' => ($answer['revoked'] ?? null) === true, 'cookies' => $cookies];
        });
    }

    /**
     * Ends all shared sessions of a member, such as after a new password. True once it is done. Otherwise `flush` repeats
     * it, and until then `verify` accepts no session of the member; without an outbox repeat it yourself. True also for a
     * user who has none: without a svc_uid, erased, or no member of this platform. A member of whom the platform verified
     * no address keeps the sessions that other platforms began.
     */
    public function logoutEverywhere(?string $svcUid): bool
    {
        $body = ['svc_uid' => (string) $svcUid, 'platform' => self::setting('MARU_PLATFORM'), 'scope' => 'all'];
        return $body['svc_uid'] === ''
            || $this->deliver('shared sessions not ended', self::REVOKE_SESSIONS, $body)['outcome'] === 'done';
    }

    /**
     * Verifies the signature of a webhook over its raw body, `file_get_contents('php://input')`. Takes `$_SERVER` or
     * any array of headers. False for anything else, and without the secret.
     *
     * @param array<string, mixed> $headers
     */
    public function verifyWebhook(array $headers, string $body): bool
    {
        $names = [];
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http-/', '', str_replace('_', '-', strtolower((string) $name)));
            $names[$plain] = is_array($value) ? implode('', array_filter($value, 'is_string')) : $value;
        }
        [$id, $at, $given] = array_map(
            fn (string $name): string => is_string($names[$name] ?? null) ? $names[$name] : '',
            ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
        );
        $secret = preg_replace('/^whsec_/', '', self::setting('MARU_WEBHOOK_SECRET'));
        if ($secret === '') {
            error_log('members: no webhook is accepted: MARU_WEBHOOK_SECRET is not set');
        }
        $key = base64_decode((string) $secret, true);
        if ($key === false || $key === '' || preg_match('/^[0-9]{1,12}$/D', $at) !== 1) {
            return false;
        }
        if (abs(time() - (int) $at) > self::WEBHOOK_TOLERANCE_S) {
            return false;
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
        // During a change of the secret there is a signature of each.
        foreach (array_slice(explode(' ', $given), 0, 8) as $each) {
            if (hash_equals($expected, $each)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sends undelivered calls again; run it every minute. `$onRegistered($localUserId, $svcUid, $email)` saves a uid, and
     * the address as settled: null if a later registration of the user counts.
     * `$onRefused($localUserId, $code, $email)` undoes the address of a registration that was refused for good, if the user
     * has it still. Both are called again if they fail,
     * or if the process is killed. A call that cannot go waits, and the others go on. Stops after three failures of the
     * service in a row.
     *
     * @return array{delivered: int, refused: int, pending: int}
     */
    public function flush(?callable $onRegistered = null, ?callable $onRefused = null): array
    {
        $report = ['delivered' => 0, 'refused' => 0];
        $this->warnIfUnreadable();
        $this->guarded('outbox not sent', function () use (&$report, $onRegistered, $onRefused): bool {
            $this->outboxDropDrafts();
            $contested = $this->sendOutbox($report, $onRegistered, $onRefused);
            $this->settleOutbox($report, $onRegistered, $onRefused, $contested);
            return true;
        });
        return [...$report, 'pending' => count($this->outboxNames())];
    }

    /**
     * Sends each call of the outbox.
     *
     * @param array{delivered: int, refused: int} $report
     * @return array<string, array<string, mixed>> the registrations whose address another user has, by file
     */
    private function sendOutbox(array &$report, ?callable $onRegistered, ?callable $onRefused): array
    {
        $failures = 0;
        $unscoped = $blocked = $contested = [];
        foreach ($this->outboxNames() as $name) {
            $entry = $this->outboxEntry($name);
            if ($failures === self::FAILURES_IN_A_ROW_MAX) {
                break;
            }
            if ($entry === null) {
                continue;
            }
            ['path' => $path, 'body' => $body] = $entry;
            // An id may have been given to another user: the former one leaves first.
            $user = self::subject($body);
            if (isset($unscoped[$path]) || $user !== null && isset($blocked["=$user"])) {
                $blocked["=$user"] = true;
                continue;
            }
            try {
                $answer = $this->answered($path, $body);
                $failures = 0;
                if ($path === '/members/register' && self::isMismatch($answer)) {
                    $contested[$name] = $body;
                    continue;
                }
                $this->finish($name, $path, $body, $answer, $onRegistered, $onRefused);
                $report['delivered']++;
            } catch (MaruRefusal $error) {
                $report['refused'] += (int) $this->refuseLate($name, $path, $body, $error, $onRefused);
            } catch (Throwable $error) {
                self::warn('an undelivered call is kept: ' . self::about($body), $error);
                $blocked["=$user"] = true;
                $isUnscoped = $error instanceof MaruFailure && $error->getMessage() === self::UNSCOPED;
                $unscoped += $isUnscoped ? [$path => true] : [];
                $failures += $isUnscoped || $error instanceof MaruUnsaved ? 0 : 1;
            }
        }
        return $contested;
    }

    /**
     * Registers users who took over addresses of each other in one call, which settles them together.
     *
     * @param array{delivered: int, refused: int} $report
     * @param array<string, array<string, mixed>> $contested
     */
    private function settleOutbox(
        array &$report,
        ?callable $onRegistered,
        ?callable $onRefused,
        array $contested
    ): void {
        $path = '/members/register';
        $others = count($this->outboxNames()) - count($contested);
        foreach (array_chunk($contested, self::REGISTRATIONS_PER_CALL, true) as $part) {
            $sent = ['registrations' => array_values($part)];
            [$answer] = $this->call("$path/batch", $sent, $this->timeout, null, true);
            foreach (array_keys($part) as $index => $name) {
                $result = (array) ($answer['results'][$index] ?? []);
                $isMismatch = self::isMismatch($result);
                $isYoung = (int) (microtime(true) * 1000) - (int) substr($name, 0, 13) < self::EXCHANGE_MS_MAX;
                if ($isMismatch && ($others > 0 || self::isMoving($result) && $isYoung)) {
                    continue;
                }
                try {
                    if (!is_string($result['svc_uid'] ?? null)) {
                        throw new MaruRefusal(self::codeOf($result));
                    }
                    $this->finish($name, $path, $part[$name], $result, $onRegistered, $onRefused);
                    $report[$isMismatch ? 'refused' : 'delivered']++;
                } catch (MaruRefusal $error) {
                    $report['refused'] += (int) $this->refuseLate($name, $path, $part[$name], $error, $onRefused);
                } catch (MaruUnsaved $error) {
                    self::warn('an undelivered call is kept: ' . self::about($part[$name]), $error);
                }
            }
        }
    }

    /**
     * Saves the uid of a delivered registration, or reports that another user has its address, and removes the call.
     *
     * @param array<string, mixed> $body
     * @param array<string, mixed> $answer
     */
    private function finish(
        string $name,
        string $path,
        array $body,
        array $answer,
        ?callable $onRegistered,
        ?callable $onRefused
    ): void {
        $uid = $path === '/members/register' ? self::ownUid($body, $answer) : null;
        if ($uid !== null) {
            $given = [$body['local_user_id'], $uid, self::settledEmail($body, $answer)];
            self::notify('the uid was not saved', $onRegistered, ...$given);
        } elseif ($path === '/members/register') {
            $given = [$body['local_user_id'], 'local_user_id_mismatch', $body['email']];
            self::notify(self::NOT_TAKEN, $onRefused, ...$given);
        }
        $this->outboxDrop($name, $path, $body);
    }

    /** Calls a function of the platform about the user of a registration. */
    private static function notify(string $failure, ?callable $function, ?string ...$given): void
    {
        try {
            $function === null || $function(...$given);
        } catch (Throwable $error) {
            throw new MaruUnsaved("$failure: " . $error::class);
        }
    }

    /**
     * Removes a call of the outbox that was refused for good; false while the platform cannot take the refusal.
     *
     * @param array<string, mixed> $body
     */
    private function refuseLate(
        string $name,
        string $path,
        array $body,
        MaruRefusal $error,
        ?callable $onRefused
    ): bool {
        try {
            if ($path === '/members/register') {
                $given = [$body['local_user_id'], $error->getMessage(), $body['email']];
                self::notify(self::NOT_TAKEN, $onRefused, ...$given);
            }
        } catch (MaruUnsaved $fault) {
            self::warn('an undelivered call is kept: ' . self::about($body), $fault);
            return false;
        }
        $this->refuse('an undelivered call was refused for good', $name, $path, $body, $error);
        return true;
    }

    /**
     * Removes a call that was refused for good. Of events and entitlements it is kept in the folder `refused`.
     *
     * @param array<string, mixed> $body
     */
    private function refuse(string $what, ?string $name, string $path, array $body, MaruRefusal $error): void
    {
        $isKept = $name !== null && isset($body['svc_uid']) && self::outboxMove($name, 'refused', $name);
        self::warn("$what: " . self::about($body) . ($isKept ? self::keptRefused($name) : ''), $error);
        if ($name !== null) {
            $this->outboxDrop($name, $path, $body);
        }
    }

    /**
     * Registers the users that the service lacks; run it every night. A user is [email, local user id, time from which
     * the user has that address]: of its confirmation. The time is text in ISO 8601 with its zone, a
     * DateTimeInterface, or seconds or milliseconds since 1970. With it a user who left or was erased later is not
     * registered again; a user without it is skipped. Leave out users whose address is not confirmed. Stops at the first
     * call that fails.
     *
     * @param iterable<array{string, string|int, string|int|float|DateTimeInterface}> $users
     * @return array{checked: int, missing: int, registered: int, skipped: int}
     */
    public function reconcile(iterable $users, ?callable $onRegistered = null): array
    {
        $report = ['checked' => 0, 'missing' => 0, 'registered' => 0, 'skipped' => 0];
        $fault = null;
        $this->warnIfUnreadable();
        $registrations = function () use ($users, &$report, &$fault): Generator {
            foreach ($users as $user) {
                try {
                    $registration = self::registrationOf($user);
                } catch (Throwable $error) {
                    $report['skipped']++;
                    $fault ??= $error;
                    continue;
                }
                yield $registration;
            }
        };
        $this->guarded('members not reconciled', function () use ($registrations, $onRegistered, &$report): bool {
            $contested = [];
            foreach (self::batches($registrations(), self::HASHES_PER_CALL) as $batch) {
                $hashes = array_map(fn (array $each): string => self::addressHash($each['email']), $batch);
                $byHash = array_combine($hashes, $batch);
                $body = [
                    'platform' => self::setting('MARU_PLATFORM'),
                    'hashes' => array_keys($byHash),
                    'local_user_ids' => array_column($byHash, 'local_user_id'),
                ];
                [$answer] = $this->call('/members/reconcile', $body, $this->timeout, null, true);
                $names = array_flip(array_filter($answer['missing'], 'is_string'));
                $missing = array_values(array_intersect_key($byHash, $names));
                $report['checked'] += count($batch);
                $report['missing'] += count($missing);
                array_push($contested, ...$this->registerAll($missing, $report, $onRegistered));
            }
            // Users who took over addresses of each other: each round frees some.
            for ($round = 0; $round < self::ROUNDS_MAX && $contested !== []; $round++) {
                $before = count($contested);
                $contested = $this->registerAll(array_column($contested, 0), $report, $onRegistered);
                if (count($contested) === $before) {
                    break;
                }
            }
            foreach ($contested as [$body, $result]) {
                self::ownUid($body, $result);
            }
            return true;
        });
        if ($fault !== null) {
            self::warn("users skipped by reconcile: {$report['skipped']}, the first", $fault);
        }
        return $report;
    }

    /**
     * The registration of a user of `reconcile`. Throws for one that cannot be sent.
     *
     * @return array<string, string>
     */
    private static function registrationOf(mixed $user): array
    {
        [$email, $localUserId, $since] = [...array_values((array) $user), null, null, null];
        $platform = self::setting('MARU_PLATFORM');
        $body = ['email' => $email, 'platform' => $platform, 'local_user_id' => (string) $localUserId];
        self::requireId($body);
        try {
            if (!is_string($email) || trim($email) === '') {
                throw new MaruFailure('no address');
            }
            return [...$body, 'requested_at' => self::timeText($since)];
        } catch (MaruFailure $error) {
            throw new MaruFailure(self::about($body) . ': ' . $error->getMessage());
        }
    }

    /**
     * Registers users in batches.
     *
     * @param list<array<string, string>> $registrations
     * @param array{checked: int, missing: int, registered: int, skipped: int} $report
     * @return list<array{array<string, string>, array<string, mixed>}> those whose address another user has
     */
    private function registerAll(array $registrations, array &$report, ?callable $onRegistered): array
    {
        $contested = [];
        foreach (array_chunk($registrations, self::REGISTRATIONS_PER_CALL) as $part) {
            $sent = ['registrations' => $part];
            [$answer] = $this->call('/members/register/batch', $sent, $this->timeout, null, true);
            foreach ($part as $index => $body) {
                $result = (array) ($answer['results'][$index] ?? []);
                if (!is_string($result['svc_uid'] ?? null)) {
                    $code = self::codeOf($result);
                    error_log('members: a user was not registered: ' . self::about($body) . " ($code)");
                } elseif (self::isMismatch($result)) {
                    $contested[] = [$body, $result];
                } else {
                    $uid = self::ownUid($body, $result);
                    $email = self::settledEmail($body, $result);
                    $report['registered'] += $email === null ? 0 : 1;
                    if ($onRegistered !== null) {
                        $save = fn (): mixed => $onRegistered($body['local_user_id'], $uid, $email);
                        $this->guarded('a uid was not saved', $save);
                    }
                }
            }
        }
        return $contested;
    }

    /**
     * Calls at once, with the call in the outbox until it has an answer: the answer with its outcome. With the code of a
     * `$refusal` it is not sent: it is refused as if by the service.
     *
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private function deliver(string $failure, string $path, array $body, ?string $refusal = null): array
    {
        if ($this->guarded($failure, fn (): array => self::requireId($body)) === null) {
            return ['outcome' => 'refused', 'code' => 'local_user_id_missing'];
        }
        if ($refusal !== null) {
            $put = fn (): ?string => $this->outboxPut($path, $body, 'refused');
            $name = $this->guarded('the outbox failed', $put);
            $kept = $name === null ? '' : self::keptRefused($name);
            self::warn("$failure: " . self::about($body) . $kept, new MaruRefusal($refusal));
            return ['outcome' => 'refused', 'code' => $refusal];
        }
        // A call may arrive after a later one: the times say which statement counts.
        $body += isset($body['local_user_id']) ? ['requested_at' => self::now()] : [];
        $name = $this->guarded('the outbox failed', fn (): ?string => $this->outboxPut($path, $body));
        try {
            if ($name !== null && $this->mustWait($name, $path, $body)) {
                throw new MaruFailure('an earlier call waits');
            }
            $answer = $this->answered($path, $body, false);
        } catch (MaruRefusal $error) {
            $this->refuse($failure, $name, $path, $body, $error);
            return ['outcome' => 'refused', 'code' => $error->getMessage()];
        } catch (Throwable $error) {
            self::warn("$failure: " . self::about($body), $error);
            $isCode = preg_match('/^[a-z]+(_[a-z]+)+$/D', $error->getMessage()) === 1;
            $code = $isCode ? $error->getMessage() : 'unreachable';
            return ['outcome' => $name === null ? 'lost' : 'waiting', 'code' => $code];
        }
        if ($path === '/members/register' && self::isMismatch($answer)) {
            // The user who has the address may be about to give it up.
            if ($name !== null && (self::isMoving($answer) || count($this->outboxNames()) > 1)) {
                error_log('members: ' . self::about($body) . ' waits for an address that another user has');
                return ['outcome' => 'waiting', 'code' => 'local_user_id_mismatch'];
            }
            self::ownUid($body, $answer);
            $answer = ['outcome' => 'refused', 'code' => 'local_user_id_mismatch'];
        } elseif ($path === '/members/register') {
            self::ownUid($body, $answer);
            $answer['email'] = self::settledEmail($body, $answer);
        }
        if ($name !== null) {
            $this->outboxDrop($name, $path, $body);
        }
        return ['outcome' => 'done', 'code' => null, ...$answer];
    }

    /**
     * @param array<string, mixed> $answer
     * @return list<string>
     */
    private static function warnings(array $answer): array
    {
        $warnings = is_array($answer['warnings'] ?? null) ? $answer['warnings'] : [];
        return array_map(fn (mixed $warning): string => self::codeOf($warning), array_values($warnings));
    }

    /**
     * The address of a registration; null if a later one of the user counts.
     *
     * @param array<string, mixed> $body
     * @param array<string, mixed> $answer
     */
    private static function settledEmail(array $body, array $answer): ?string
    {
        return in_array('registration_outdated', self::warnings($answer), true) ? null : $body['email'];
    }

    /** @param array<string, mixed> $answer True for an address that another user of the platform has. */
    private static function isMismatch(array $answer): bool
    {
        return in_array('local_user_id_mismatch', self::warnings($answer), true);
    }

    /**
     * True for a known user whose new address another one has: the two may be exchanging theirs.
     *
     * @param array<string, mixed> $answer
     */
    private static function isMoving(array $answer): bool
    {
        return in_array('email_taken', self::warnings($answer), true);
    }

    /**
     * The uid of a registered user, with its warnings logged. Null if the uid is that of another user.
     *
     * @param array<string, mixed> $body
     * @param array<string, mixed> $answer
     */
    private static function ownUid(array $body, array $answer): ?string
    {
        $mismatch = 'local_user_id_mismatch';
        $codes = self::warnings($answer);
        if (!in_array($mismatch, $codes, true)) {
            foreach ($codes as $code) {
                error_log('members: ' . self::about($body) . " registered with the warning $code");
            }
            return $answer['svc_uid'];
        }
        $holder = self::shown($answer['svc_uid'], 'another svc_uid');
        error_log('members: ' . self::about($body) . " not registered ($mismatch): the address belongs to your user "
            . "with $holder. If that user has another address now, register both; "
            . 'only if that account is closed, call leave with its id');
        return null;
    }

    /**
     * The answer of a call that changes something. A member without a link has left already.
     *
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private function answered(string $path, array $body, bool $isPatient = true): array
    {
        try {
            return $this->call($path, $body, $this->timeout, null, $isPatient)[0];
        } catch (MaruRefusal $error) {
            $code = $error->getMessage();
            if ($path === '/members/leave' && $code === 'member_not_found') {
                return ['left' => false];
            }
            if ($path === self::REVOKE_SESSIONS && in_array($code, ['member_erased', 'member_not_found'], true)) {
                return ['revoked' => 0];
            }
            if ($path === self::REVOKE_SESSIONS && $code === 'email_unverified' && $body['scope'] === 'all') {
                return $this->answered($path, ['scope' => 'platform'] + $body, $isPatient);
            }
            throw $error;
        }
    }

    /**
     * JSON object and cookies of an answer. Throws within the time, whatever the server does. After a time-out only
     * patient calls are sent for some seconds: no visitor waits for a service that hangs.
     *
     * @param array<string, mixed> $body
     * @param list<string>|null $headers in place of the key
     * @return array{array<string, mixed>, list<string>}
     */
    private function call(
        string $path,
        array $body,
        float $seconds,
        ?array $headers = null,
        bool $isPatient = false,
    ): array {
        $pause = self::pauseFile();
        clearstatcache(true, $pause);
        $pausedAt = is_file($pause) ? (int) @filemtime($pause) : 0;
        if (!$isPatient && time() < $pausedAt + self::PAUSE_S) {
            throw new MaruFailure('no call for some seconds after a time-out');
        }
        $received = '';
        $cookies = [];
        [$method, $place] = str_contains($path, ' ') ? explode(' ', $path) : ['POST', $path];
        $parts = ['{svc_uid}' => $body['svc_uid'] ?? '', '{code}' => $body['code'] ?? ''];
        $call = curl_init(rtrim(self::setting('MARU_URL'), '/') . strtr($place, $parts));
        curl_setopt_array($call, [
            // The time of the whole call, with names, headers and body.
            CURLOPT_TIMEOUT_MS => max(1, (int) ($seconds * 1000)),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            // A key must not follow to another host.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [
                'content-type: application/json',
                'accept: application/json',
                ...($headers ?? ['x-api-key: ' . self::setting('MARU_API_KEY')]),
            ],
            CURLOPT_POSTFIELDS => json_encode($body, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE),
            CURLOPT_HEADERFUNCTION => function ($call, string $line) use (&$cookies): int {
                if (stripos($line, 'set-cookie:') === 0) {
                    $cookies[] = trim(substr($line, 11));
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($call, string $part) use (&$received): int {
                $received .= $part;
                return strlen($received) > self::ANSWER_BYTES_MAX ? 0 : strlen($part);
            },
        ]);
        $isWhole = curl_exec($call);
        $status = (int) curl_getinfo($call, CURLINFO_RESPONSE_CODE);
        if (curl_errno($call) === CURLE_OPERATION_TIMEDOUT) {
            if (!is_dir(dirname($pause))) {
                @mkdir(dirname($pause), 0700, true);
            }
            @touch($pause);
        } elseif ($pausedAt > 0) {
            @unlink($pause);
        }
        if ($isWhole === false) {
            throw new MaruFailure('unreachable: ' . curl_strerror(curl_errno($call)));
        }
        $answer = json_decode($received, true);
        if (!is_array($answer) || array_is_list($answer) && trim($received) !== '{}') {
            throw new MaruFailure("status $status without a JSON object");
        }
        if ($status >= 200 && $status < 300) {
            if (!self::isExpected($path, $answer)) {
                throw new MaruFailure('this is not the members service');
            }
            return [$answer, $cookies];
        }
        $code = self::codeOf($answer, "status $status");
        $isRetryable = ($answer['retryable'] ?? null) === true || !isset($answer['code']);
        $isFinal = $status >= 400 && $status < 500 && !$isRetryable;
        // A key can be replaced, its scopes extended, and an address corrected.
        $isCorrectable = $status === 401
            || in_array($code, [self::UNSCOPED, 'platform_disabled', 'not_found'], true);
        throw $isFinal && !$isCorrectable ? new MaruRefusal($code) : new MaruFailure($code);
    }

    /** @param array<string, mixed> $answer */
    private static function isExpected(string $path, array $answer): bool
    {
        return match ($path) {
            '/members/register', '/auth/sso/issue' => is_string($answer['svc_uid'] ?? null),
            '/members/register/batch' => is_array($answer['results'] ?? null),
            '/members/reconcile' => is_array($answer['missing'] ?? null),
            '/members/leave' => is_bool($answer['left'] ?? null),
            '/members/events' => is_string($answer['event_id'] ?? null),
            self::GRANT => is_array($answer['entitlement'] ?? null),
            self::REVOKE => is_int($answer['ended'] ?? null),
            '/auth/logout' => is_bool($answer['ok'] ?? null),
            self::REVOKE_SESSIONS => is_int($answer['revoked'] ?? null),
            '/auth/sso/verify' => is_bool($answer['active'] ?? null)
                && is_bool($answer['sign_in_allowed'] ?? null)
                && (!$answer['active'] || is_string($answer['svc_uid'] ?? null))
                && (!$answer['sign_in_allowed'] || is_array($answer['membership'] ?? null)
                    && is_string($answer['membership']['local_user_id'] ?? null)),
        };
    }

    /** Logs that no call can be read, as in a job of another user. Before the first call there is no folder. */
    private function warnIfUnreadable(): void
    {
        $folder = self::setting('MARU_OUTBOX');
        if ($folder !== '') {
            error_clear_last();
            $first = $this->outboxNames()[0] ?? null;
            $isRead = @scandir($folder) !== false && ($first === null || @fopen("$folder/$first", 'r') !== false);
            if ($isRead || preg_match('/errno 2\)|No such file/', error_get_last()['message'] ?? '') === 1) {
                return;
            }
        }
        $fault = $folder === '' ? 'is not set' : 'cannot be read';
        error_log("members: MARU_OUTBOX $fault: run this as the web server's user, with its variables");
    }

    /** @return list<string> the oldest first */
    private function outboxNames(): array
    {
        $folder = self::setting('MARU_OUTBOX');
        $names = $folder !== '' && is_dir($folder) ? @scandir($folder) : [];
        return array_values(preg_grep(self::OUTBOX_NAME, $names ?: []) ?: []);
    }

    /**
     * Writes a file for a call; null without an outbox. A later registration of a user replaces an earlier one, so that
     * an old address never overtakes a new one. A `leave` replaces both, and no registration replaces a `leave`: the id
     * may have been given to another user. Grants and revocations replace nothing, and are sent in their order. A call that
     * is never sent is written in the folder `refused`.
     *
     * @param array<string, mixed> $body
     */
    private function outboxPut(string $path, array $body, string $where = ''): ?string
    {
        $folder = self::setting('MARU_OUTBOX');
        if ($folder === '') {
            return null;
        }
        if (!is_dir($folder)) {
            @mkdir($folder, 0700, true);
        }
        if (count($this->outboxNames()) >= self::OUTBOX_FILES_MAX) {
            throw new MaruFailure('it is full');
        }
        $digest = self::digests($path, $body)[0];
        $name = sprintf('%013d-%s-%s.json', (int) (microtime(true) * 1000), self::random(4), $digest);
        $text = json_encode(['path' => $path, 'body' => $body], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        // The file contains an address: only its owner can read it.
        $before = umask(0077);
        try {
            $file = @fopen("$folder/.$name", 'x');
            $isWritten = $file !== false && fwrite($file, $text) === strlen($text) && fflush($file) && fsync($file);
        } finally {
            umask($before);
        }
        if (!$isWritten || !self::outboxMove(".$name", $where, $name)) {
            @unlink("$folder/.$name");
            throw new MaruFailure('its folder cannot be written');
        }
        if ($where === '') {
            $this->outboxDropEarlier($name, $path, $body);
        }
        return $name;
    }

    /**
     * True while a call waits that must be sent before: a `leave` of the id, or one about the same entitlement.
     *
     * @param array<string, mixed> $body
     */
    private function mustWait(string $name, string $path, array $body): bool
    {
        if (!in_array($path, ['/members/register', self::GRANT, self::REVOKE], true)) {
            return false;
        }
        $digest = self::digests($path === '/members/register' ? '/members/leave' : $path, $body)[0];
        $others = preg_grep("/-$digest\\.json$/D", $this->outboxNames()) ?: [];
        return array_filter($others, fn (string $other): bool => $other < $name) !== [];
    }

    /** The place of a refused call for the log. An earlier one of the same event is removed. */
    private static function keptRefused(string $name): string
    {
        $folder = self::setting('MARU_OUTBOX') . '/refused';
        foreach (@scandir($folder) ?: [] as $other) {
            if ($other !== $name && str_ends_with($other, substr($name, -22))) {
                @unlink("$folder/$other");
            }
        }
        return ", kept in refused/$name";
    }

    private static function outboxMove(string $from, string $where, string $name): bool
    {
        $folder = self::setting('MARU_OUTBOX');
        if (!is_dir("$folder/$where")) {
            @mkdir("$folder/$where", 0700);
        }
        return @rename("$folder/$from", "$folder/$where/$name");
    }

    /** File that is as old as the last time-out: each request of PHP is a program of its own. */
    private static function pauseFile(): string
    {
        $folder = self::setting('MARU_OUTBOX');
        if ($folder !== '') {
            return "$folder/.paused";
        }
        return sys_get_temp_dir() . '/maru-paused-' . substr(hash('sha256', self::setting('MARU_URL')), 0, 16);
    }

    /** Removes the drafts of processes that were killed. A young one may be in use. */
    private function outboxDropDrafts(): void
    {
        $folder = self::setting('MARU_OUTBOX');
        $before = (int) (microtime(true) * 1000) - self::DRAFT_AGE_MAX_MS;
        foreach ($folder !== '' && is_dir($folder) ? @scandir($folder) ?: [] : [] as $name) {
            $isDraft = $name[0] === '.' && preg_match(self::OUTBOX_NAME, substr($name, 1)) === 1;
            if ($isDraft && (int) substr($name, 1, 13) < $before) {
                @unlink("$folder/$name");
            }
        }
    }

    /**
     * Null if another process has delivered it meanwhile, and for a file that is set aside as unreadable.
     *
     * @return array{path: string, body: array<string, mixed>}|null
     */
    private function outboxEntry(string $name): ?array
    {
        $text = @file_get_contents(self::setting('MARU_OUTBOX') . "/$name");
        $entry = json_decode((string) $text, true);
        if (!is_string($entry['path'] ?? null) || !is_array($entry['body'] ?? null)) {
            if ($text !== false && self::outboxMove($name, 'unreadable', $name)) {
                error_log("members: an unreadable file of the outbox is kept in unreadable/$name");
            }
            return null;
        }
        foreach (['extra', 'meta'] as $member) {
            if (isset($entry['body'][$member])) {
                $entry['body'][$member] = (object) $entry['body'][$member];
            }
        }
        return $entry;
    }

    /** @param array<string, mixed> $body */
    private function outboxDrop(string $name, string $path, array $body): void
    {
        @unlink(self::setting('MARU_OUTBOX') . "/$name");
        $this->outboxDropEarlier($name, $path, $body);
    }

    /** @param array<string, mixed> $body */
    private function outboxDropEarlier(string $name, string $path, array $body): void
    {
        $digests = array_slice(self::digests($path, $body), 1);
        foreach ($this->outboxNames() as $other) {
            if ($other < $name && in_array(substr($other, -21, 16), $digests, true)) {
                @unlink(self::setting('MARU_OUTBOX') . "/$other");
            }
        }
    }

    /** @return list<string> session tokens of a `Cookie` header; other cookies are none of the service's business */
    private static function tokens(?string $cookie): array
    {
        preg_match_all('/(?:^|;)\s*svc_sso=(svcs_[a-z2-7]+)(?=;|\s|$)/', $cookie ?? '', $found);
        return array_slice($found[1], 0, self::TOKENS_MAX);
    }

    /** Hash of an address as the service writes it. An unusual one counts as missing: registering again is harmless. */
    private static function addressHash(string $email): string
    {
        return hash('sha256', strtolower(trim($email)));
    }

    /**
     * @template Item
     * @param iterable<Item> $items
     * @return Generator<list<Item>>
     */
    private static function batches(iterable $items, int $size): Generator
    {
        $batch = [];
        foreach ($items as $item) {
            $batch[] = $item;
            if (count($batch) === $size) {
                yield $batch;
                $batch = [];
            }
        }
        if ($batch !== []) {
            yield $batch;
        }
    }

    /** Runs a task; null with a warning if it throws. A framework may turn any PHP warning into an exception. */
    private function guarded(string $failure, callable $task): mixed
    {
        try {
            return $task();
        } catch (Throwable $error) {
            self::warn($failure, $error);
            return null;
        }
    }

    private static function setting(string $name): string
    {
        $value = $_ENV[$name] ?? getenv($name);
        return is_string($value) ? trim($value) : '';
    }

    /** A time as the service reads it. One without a zone is refused: the service would ignore it. */
    private static function timeText(mixed $value): string
    {
        if ((is_int($value) || is_float($value)) && is_finite($value) && abs($value) < 1e15) {
            $seconds = abs($value) >= self::MILLISECONDS_FROM ? $value / 1000 : $value;
            $value = DateTimeImmutable::createFromFormat('U.u', sprintf('%.6F', $seconds)) ?: null;
        }
        if ($value instanceof DateTimeInterface) {
            $utc = DateTimeImmutable::createFromInterface($value)->setTimezone(new DateTimeZone('UTC'));
            return $utc->format('Y-m-d\TH:i:s.v\Z');
        }
        if (is_string($value) && preg_match(self::TIME, $value) === 1) {
            return $value;
        }
        throw new MaruFailure(self::NO_ZONE);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private static function requireId(array $body): array
    {
        return trim($body['local_user_id'] ?? '-') !== '' ? $body : throw new MaruFailure('the user has no id');
    }

    /**
     * Digest of a call in the outbox, then those of earlier calls that it replaces.
     *
     * @param array<string, mixed> $body
     * @return list<string>
     */
    private static function digests(string $path, array $body): array
    {
        $event = 'event ' . ($body['event_id'] ?? '');
        [$user, $leave] = ['user ' . ($body['local_user_id'] ?? ''), 'leave ' . ($body['local_user_id'] ?? '')];
        $keys = match ($path) {
            '/members/events' => [$event, $event],
            '/members/leave' => [$leave, $leave, $user],
            self::GRANT, self::REVOKE => [self::subject($body)],
            self::REVOKE_SESSIONS => ["sessions {$body['svc_uid']}", "sessions {$body['svc_uid']}"],
            default => [$user, $user],
        };
        return array_map(self::digest(...), $keys);
    }

    private static function digest(string $key): string
    {
        return substr(hash('sha256', $key), 0, 16);
    }

    /**
     * A verdict with what waits in the outbox: a user's other address or end, and the end of a member's sessions.
     *
     * @param array<string, mixed> $verdict
     * @param list<string> $names
     * @return array<string, mixed>
     */
    private static function settled(array $verdict, array $names): array
    {
        $waiting = array_map(fn (string $name): string => substr($name, -21, 16), $names);
        $isWaiting = fn (string $key): bool => in_array(self::digest($key), $waiting, true);
        if ($isWaiting("sessions {$verdict['svc_uid']}")) {
            return self::NO_SESSION;
        }
        $user = $verdict['membership']['local_user_id'] ?? '';
        if (!$verdict['sign_in_allowed'] || !($isWaiting("user $user") || $isWaiting("leave $user"))) {
            return $verdict;
        }
        return ['sign_in_allowed' => false, 'reason' => 'no_membership', 'membership' => null] + $verdict;
    }

    /**
     * The user or entitlement whose calls are sent in their order; null for another call.
     *
     * @param array<string, mixed> $body
     */
    private static function subject(array $body): ?string
    {
        return isset($body['code']) ? "entitlement {$body['svc_uid']} {$body['code']}" : $body['local_user_id'] ?? null;
    }

    /** @param array<string, mixed> $body */
    private static function about(array $body): string
    {
        $names = ['event' => 'event_id', 'entitlement' => 'code', 'user' => 'local_user_id', 'sessions of' => 'svc_uid'];
        $kind = key(array_filter($names, fn (string $name): bool => isset($body[$name])));
        return "$kind " . self::shown($body[$names[$kind]], 'with an id that is not logged');
    }

    /** An id for the log. Some platforms use addresses as ids. */
    private static function shown(string $id, string $otherwise): string
    {
        return preg_match('/^[A-Za-z0-9_.:-]{1,64}$/D', $id) === 1 ? $id : $otherwise;
    }

    private static function now(): string
    {
        return gmdate('Y-m-d\TH:i:s') . sprintf('.%03dZ', (int) (fmod(microtime(true), 1) * 1000));
    }

    private static function random(int $bytes): string
    {
        return bin2hex(random_bytes($bytes));
    }

    private static function codeOf(mixed $problem, string $otherwise = 'without a code'): string
    {
        $code = is_array($problem) ? $problem['code'] ?? null : null;
        return is_string($code) && preg_match('/^[a-z_]{1,40}$/D', $code) === 1 ? $code : $otherwise;
    }

    /** Logs a line without an address or a key: messages of other errors may have them. */
    private static function warn(string $what, Throwable $error): void
    {
        $isOwn = $error instanceof MaruFailure || $error instanceof MaruRefusal || $error instanceof MaruUnsaved;
        error_log("members: $what (" . ($isOwn ? $error->getMessage() : $error::class) . ')');
    }
}

/** The same call may succeed later. */
final class MaruFailure extends RuntimeException
{
}

/** The service answered, but the platform could not save it. */
final class MaruUnsaved extends RuntimeException
{
}

/** The same call cannot succeed. */
final class MaruRefusal extends RuntimeException
{
}
