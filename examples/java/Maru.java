import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hooks of the members service of Maru, for Java 17 or newer. Copy this file and put your package before the imports;
 * it needs nothing but the JDK. In Spring it is a bean: {@code @Bean Maru maru() { return new Maru(); }}
 *
 * <pre>{@code
 * Maru maru = new Maru();                                 // once a process
 * maru.register("asha@example.com", "77")                 // after a confirmed sign-up, and a change of address
 *     .ifDone(member -> users.saveSvcUid("77", member.svcUid()));
 * }</pre>
 *
 * No method throws, and none takes longer than the timeout, whatever the service answers. After a time-out calls fail at
 * once for some seconds. A failure is logged. The settings are environment variables:
 *
 * <pre>
 * MARU_URL             address of the members service, such as https://id.example.com
 * MARU_API_KEY         the platform's key, svck_...
 * MARU_PLATFORM        the platform's code
 * MARU_ORIGIN          one of the platform's registered origins, for logout
 * MARU_OUTBOX          optional folder of undelivered calls; all processes of a machine can share it
 * MARU_COOKIE_DOMAIN   domain of the session cookies, such as example.com; empty for those of one host
 * MARU_WEBHOOK_SECRET  optional secret of the webhook endpoint, whsec_...
 * </pre>
 */
public final class Maru {
    private static final int ANSWER_BYTES_MAX = 1_048_576;
    private static final int OUTBOX_FILES_MAX = 10_000;
    private static final int HASHES_PER_CALL = 1_000;
    private static final int REGISTRATIONS_PER_CALL = 500;
    private static final int TOKENS_MAX = 8;
    private static final int WEBHOOK_TOLERANCE_S = 300;
    private static final int FAILURES_IN_A_ROW_MAX = 3;
    private static final int ROUNDS_MAX = 5;
    private static final long PAUSE_MS = 10_000;
    private static final long DRAFT_AGE_MAX_MS = 3_600_000;
    private static final long EXCHANGE_MS_MAX = 3_600_000;
    private static final String NOT_TAKEN = "the refusal was not taken";
    private static final String MISMATCH = "local_user_id_mismatch";
    private static final String UNSCOPED = "insufficient_scope";
    private static final String REGISTER = "/members/register";
    private static final String GRANT = "PUT /members/{svc_uid}/entitlements/{code}";
    private static final String REVOKE = "DELETE /members/{svc_uid}/entitlements/{code}";
    private static final String REVOKE_SESSIONS = "/auth/sso/revoke";

    private static final System.Logger LOG = System.getLogger("maru");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern TOKEN = Pattern.compile("(?:^|;)\\s*svc_sso=(svcs_[a-z2-7]+)(?=;|\\s|$)");
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");
    private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");
    private static final Pattern ENTITLEMENT = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    private static final Pattern REASON = Pattern.compile("[a-z]+(_[a-z]+)+");

    /**
     * A registered user. {@code email} is the address that the service has taken; null if a later registration of the
     * user counts.
     */
    public record Member(String svcUid, boolean created, String tier, String email) {}

    /** What became of a call. */
    public enum Outcome {
        /** The service has done it. */
        DONE,
        /** It is in the outbox, and {@code flush} sends it. */
        WAITING,
        /** It can never succeed; the code has the reason. */
        REFUSED,
        /** It was not sent, and is not in an outbox. */
        LOST
    }

    /** The outcome of a call, the code of its failure, and the member of a registration that is done; else null. */
    public record Result(Outcome outcome, String code, Member member) {
        public boolean isDone() {
            return outcome == Outcome.DONE;
        }

        /** Calls a function with the member of a registration that is done. */
        public void ifDone(Consumer<Member> save) {
            if (member != null) save.accept(member);
        }
    }

    /**
     * A sign-up with its details. {@code emailVerified} is false before the address is confirmed; null is what the
     * platform was declared with. {@code consents} are those of the sign-up, or null. {@code requestedAt} is the time of
     * the sign-up for a call that comes later, or null: who left since stays erased.
     */
    public record Registration(String email, String localUserId, Map<String, Object> extra, Boolean emailVerified,
            List<Map<String, Object>> consents, Instant requestedAt) {}

    /**
     * Whether the bearer of a session may be logged in here, and as which user; the reason if not. The entitlements are
     * the codes in force.
     */
    public record Verdict(boolean signInAllowed, String localUserId, String svcUid, String reason,
            List<String> entitlements) {}

    private static final Verdict NO_SESSION = new Verdict(false, null, null, "session_ended", List.of());

    /** Saves the uid of a user, and the address as settled: null if a later registration of the user counts. */
    public interface Save {
        void save(String localUserId, String svcUid, String email);
    }

    /** Undoes the address of a registration that was refused for good. */
    public interface Undo {
        void undo(String localUserId, String code, String email);
    }

    /** An ended session. Relay the cookies, which clear the pair. */
    public record Ended(boolean revoked, List<String> cookies) {}

    /**
     * A user of the platform, and the time from which the user has that address: of its confirmation.
     * With it a user who left or was erased later is not registered again; a user without it is skipped. Leave out users
     * whose address is not confirmed.
     */
    public record User(String email, String localUserId, Instant since) {}

    public record Flushed(int delivered, int pending) {}

    public record Reconciled(int checked, int missing, int registered, int skipped) {}

    private final HttpClient client = HttpClient.newBuilder()
        // A key must not follow to another host.
        .followRedirects(HttpClient.Redirect.NEVER)
        .version(HttpClient.Version.HTTP_1_1)
        .build();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "maru");
        thread.setDaemon(true);
        return thread;
    });
    private final String url;
    private final String key;
    private final String platform;
    private final String origin;
    private final String cookieDomain;
    private final String webhookSecret;
    private final Outbox outbox;
    private final Duration timeout;
    /** Time until which visitors do not wait for a service that hangs. */
    private volatile long pausedUntilMs = 0;

    public Maru() {
        this(Duration.ofSeconds(3), System::getenv);
    }

    /** With the time of a whole call, and settings from elsewhere: {@code environment::getProperty} of Spring. */
    public Maru(Duration timeout, UnaryOperator<String> settings) {
        UnaryOperator<String> setting = name -> Objects.requireNonNullElse(settings.apply(name), "").strip();
        this.url = setting.apply("MARU_URL").replaceAll("/+$", "");
        this.key = setting.apply("MARU_API_KEY");
        this.platform = setting.apply("MARU_PLATFORM");
        this.origin = setting.apply("MARU_ORIGIN");
        this.cookieDomain = setting.apply("MARU_COOKIE_DOMAIN");
        this.webhookSecret = setting.apply("MARU_WEBHOOK_SECRET");
        this.outbox = new Outbox(setting.apply("MARU_OUTBOX"));
        this.timeout = timeout;
    }

    /**
     * Registers a user after a sign-up or a change of address. From then on the user is let in to the accounts with that
     * address on other platforms: call it once the address is confirmed. No member while another user of yours has the
     * address: their uid is not for this user.
     */
    public Result register(String email, String localUserId) {
        return register(email, localUserId, Map.of());
    }

    public Result register(String email, String localUserId, Map<String, Object> extra) {
        return register(new Registration(email, localUserId, extra, null, null, null));
    }

    /** Registers a user with details. */
    public Result register(Registration user) {
        Map<String, Object> body = object("email", user.email(), "platform", platform,
            "local_user_id", user.localUserId(), "extra", Objects.requireNonNullElse(user.extra(), Map.of()));
        if (user.emailVerified() != null) body.put("email_verified", user.emailVerified());
        if (user.consents() != null) body.put("consents", user.consents());
        if (user.requestedAt() != null) body.put("requested_at", instant(user.requestedAt()));
        return deliver("member not registered", REGISTER, body);
    }

    /** Ends the membership of a user who closed the account. Done also if there is none. */
    public Result leave(String localUserId) {
        return deliver("member not removed", "/members/leave", object("local_user_id", localUserId));
    }

    /**
     * Logs a visit, login, purchase or referral. An event id of your own, such as an order number, counts once. Lost
     * with the code {@code no_svc_uid} for a user who has none yet: log the event again once it is saved, with its time.
     */
    public Result logEvent(String svcUid, String event, Map<String, Object> meta, String eventId) {
        return logEvent(svcUid, event, meta, eventId, Instant.now());
    }

    /** Logs an event that occurred earlier. */
    public Result logEvent(String svcUid, String event, Map<String, Object> meta, String eventId, Instant at) {
        if (svcUid == null || svcUid.isEmpty()) {
            log("event not logged: " + about(object("event_id", eventId)) + " (the user has no svc_uid yet)");
            return new Result(Outcome.LOST, "no_svc_uid", null);
        }
        Map<String, Object> body = object("svc_uid", svcUid, "platform", platform, "event", event, "meta", meta,
            "event_id", eventId, "occurred_at", at == null ? "" : instant(at));
        if (at == null) {
            return refuseUnsent("event not logged, no time with a zone", "/members/events", body, "occurred_at");
        }
        return deliver("event not logged", "/members/events", body);
    }

    /** Grants an entitlement from now on, such as after a payment, until a time, or without end for null. */
    public Result grant(String svcUid, String code, Instant until) {
        return grant(svcUid, code, until, null);
    }

    /**
     * Grants an entitlement from a time on. A repeat changes nothing. Lost with the code {@code no_svc_uid} for a user who
     * has none yet: grant it again once it is saved. The key needs the scope {@code members:entitle}.
     */
    public Result grant(String svcUid, String code, Instant until, Instant since) {
        return grant(svcUid, code, until, since, null);
    }

    /** Grants it to the user with an id of yours, and to no other user who has the {@code svc_uid} by now. */
    public Result grant(String svcUid, String code, Instant until, Instant since, String localUserId) {
        Map<String, Object> period = new LinkedHashMap<>();
        if (until != null) period.put("until", instant(until));
        if (since != null) period.put("from", instant(since));
        return entitle("entitlement not granted", GRANT, svcUid, code, period, localUserId);
    }

    /** Ends what this platform granted of a code, such as after a refund. Done also if there is nothing. */
    public Result revoke(String svcUid, String code) {
        return revoke(svcUid, code, null);
    }

    /** Ends it for the user with an id of yours, and for no other user who has the {@code svc_uid} by now. */
    public Result revoke(String svcUid, String code, String localUserId) {
        return entitle("entitlement not revoked", REVOKE, svcUid, code, Map.of(), localUserId);
    }

    private Result entitle(
            String failure, String path, String svcUid, String code, Map<String, Object> period, String localUserId) {
        if (svcUid == null || svcUid.isEmpty()) {
            log(failure + ": " + about(object("code", String.valueOf(code))) + " (the user has no svc_uid yet)");
            return new Result(Outcome.LOST, "no_svc_uid", null);
        }
        Map<String, Object> body = object("svc_uid", svcUid, "code", String.valueOf(code));
        body.putAll(period);
        if (localUserId != null) body.put("expected_local_user_id", localUserId);
        if (code == null || !ENTITLEMENT.matcher(code).matches()) {
            String what = failure + ", a code is small letters, digits and ._-";
            return refuseUnsent(what, path, body, "unknown_entitlement");
        }
        return deliver(failure, path, body);
    }

    /**
     * Signs the user in on all platforms. Add each value to your response: {@code addHeader("Set-Cookie", value)}. The
     * first begins with {@code svc_sso=svcs_}. Otherwise there is no shared session, and they clear an earlier
     * person's.
     */
    public List<String> ssoCookies(String email, String localUserId) {
        return guarded("no single sign-on for a login", () -> {
            Map<String, Object> body = object("email", email, "platform", platform, "local_user_id", localUserId);
            requireId(body);
            return call("/auth/sso/issue", body, null, timeout).cookies();
        }).filter(cookies -> !cookies.isEmpty()).orElseGet(this::clearedCookies);
    }

    /** Set-Cookie values for a login without {@code ssoCookies}. They clear the session of an earlier person. */
    public List<String> clearedCookies() {
        Stream<String> domains = Stream.of("Domain=" + cookieDomain + "; ", "").skip(cookieDomain.isEmpty() ? 1 : 0);
        return domains.flatMap(domain -> Stream.of(
            "svc_sso=; " + domain + "Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
            "svc_uid=; " + domain + "Path=/; Max-Age=0; SameSite=Lax")).toList();
    }

    /**
     * Verifies the Cookie header of a visitor. Empty if the service was not reached: your own session counts then. While a
     * {@code register} or {@code leave} of the user waits in the outbox, the address may be another person's: nobody is
     * signed in as the user.
     */
    public Optional<Verdict> verify(String cookie) {
        return guarded("session not verified", () -> {
            long endsAt = System.nanoTime() + timeout.toNanos();
            Map<String, Map<String, Object>> active = new LinkedHashMap<>();
            List<String> tokens = tokens(cookie);
            // Read first: a call that is delivered meanwhile can be newer than the verdict.
            List<String> names = tokens.isEmpty() ? List.of() : outbox.names();
            for (String token : tokens) {
                Duration left = Duration.ofNanos(endsAt - System.nanoTime());
                Map<String, Object> verdict = call("/auth/sso/verify", object("token", token), null, left).answer();
                if (Boolean.TRUE.equals(verdict.get("active"))) {
                    active.putIfAbsent(text(verdict.get("svc_uid")), verdict);
                }
            }
            // Sessions of two members are ambiguous.
            if (active.size() != 1) return NO_SESSION;
            Map<String, Object> verdict = active.values().iterator().next();
            if (Outbox.isIn(names, "sessions " + text(verdict.get("svc_uid")))) return NO_SESSION;
            boolean allowed = Boolean.TRUE.equals(verdict.get("sign_in_allowed"));
            String localUserId = allowed ? text(Json.object(verdict.get("membership")).get("local_user_id")) : null;
            List<String> codes = Json.list(verdict.get("entitlements")).stream().map(Maru::text).toList();
            String svcUid = text(verdict.get("svc_uid"));
            if (allowed && (Outbox.isIn(names, "user " + localUserId) || Outbox.isIn(names, "leave " + localUserId))) {
                return new Verdict(false, null, svcUid, "no_membership", codes);
            }
            return new Verdict(allowed, localUserId, svcUid, text(verdict.get("reason")), codes);
        });
    }

    /**
     * Ends the session in a Cookie header; the scope is "one", or "all" for the shared ones of every device. Empty: it is
     * still live. Without a session in the header there is nothing to end: {@code logoutEverywhere} ends those of other
     * devices.
     */
    public Optional<Ended> logout(String cookie, String scope) {
        return guarded("shared session not ended", () -> {
            List<String> pairs = tokens(cookie).stream().map(token -> "svc_sso=" + token).toList();
            if (pairs.isEmpty()) return new Ended(false, clearedCookies());
            Map<String, String> headers =
                Map.of("cookie", String.join("; ", pairs), "origin", origin, "x-svc-client", "Maru.java");
            Reply reply = call("/auth/logout", object("scope", scope), headers, timeout);
            return new Ended(Boolean.TRUE.equals(reply.answer().get("revoked")), reply.cookies());
        });
    }

    /**
     * Ends all shared sessions of a member, such as after a new password. True once it is done. Otherwise {@code flush}
     * repeats it, and until then {@code verify} accepts no session of the member; without an outbox repeat it yourself.
     * True also for a user who has none: without a svc_uid, erased, or no member of this platform. A member of whom the
     * platform verified no address keeps the sessions that other platforms began.
     */
    public boolean logoutEverywhere(String svcUid) {
        if (svcUid == null || svcUid.isEmpty()) return true;
        Map<String, Object> body = object("svc_uid", svcUid, "platform", platform, "scope", "all");
        return deliver("shared sessions not ended", REVOKE_SESSIONS, body).outcome() == Outcome.DONE;
    }

    /**
     * Verifies the signature of a webhook over its raw body. Its headers come from {@code request::getHeader}. False
     * without the secret, too.
     */
    public boolean verifyWebhook(UnaryOperator<String> header, byte[] body) {
        if (webhookSecret.isEmpty()) log("no webhook is accepted: MARU_WEBHOOK_SECRET is not set");
        try {
            String id = header.apply("webhook-id");
            String at = header.apply("webhook-timestamp");
            byte[] secret = Base64.getDecoder().decode(webhookSecret.replaceFirst("^whsec_", ""));
            if (id == null || at == null || secret.length == 0 || !at.matches("[0-9]{1,12}")) return false;
            if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(at)) > WEBHOOK_TOLERANCE_S) return false;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update((id + "." + at + ".").getBytes(StandardCharsets.UTF_8));
            byte[] expected = bytes("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)));
            // During a change of the secret there is a signature of each.
            return Stream.of(header.apply("webhook-signature").split(" ")).limit(8)
                .anyMatch(each -> MessageDigest.isEqual(expected, bytes(each)));
        } catch (Exception error) {
            return false;
        }
    }

    /**
     * Sends undelivered calls again; run it every minute ({@code @Scheduled}). The first function saves an id's uid. The
     * second undoes the address of a registration that was refused for good, if the user has it still. Both are called
     * again if they throw, or if the process is killed. A call that cannot go waits, and the others go on. Stops after three failures of
     * the service in a row.
     */
    public Flushed flush(Save onRegistered, Undo onRefused) {
        int delivered = 0;
        int failures = 0;
        Set<String> unscoped = new HashSet<>();
        Set<String> blocked = new HashSet<>();
        Map<String, Map<String, Object>> contested = new LinkedHashMap<>();
        outbox.warnIfUnreadable();
        outbox.dropDrafts();
        for (String name : outbox.names()) {
            if (failures == FAILURES_IN_A_ROW_MAX) break;
            Optional<Map<String, Object>> entry = outbox.read(name);
            if (entry.isEmpty()) continue;
            Map<String, Object> body = Json.object(entry.get().get("body"));
            String path = text(entry.get().get("path"));
            // An id may have been given to another user: the former one leaves first.
            String user = subjectOf(body);
            if (unscoped.contains(path) || user != null && blocked.contains(user)) {
                blocked.add(user);
                continue;
            }
            try {
                Map<String, Object> answer = answered(path, body, true);
                failures = 0;
                if (path.equals(REGISTER) && isMismatch(answer)) {
                    contested.put(name, body);
                    continue;
                }
                finish(name, path, body, answer, onRegistered, onRefused);
                delivered++;
            } catch (Refusal error) {
                refuseLate(name, path, body, error, onRefused);
            } catch (Exception error) {
                warn("an undelivered call is kept: " + about(body), error);
                blocked.add(user);
                if (UNSCOPED.equals(error.getMessage())) unscoped.add(path);
                else if (!(error instanceof Unsaved)) failures++;
            }
        }
        boolean isReached = failures < FAILURES_IN_A_ROW_MAX && !contested.isEmpty();
        if (isReached) {
            delivered += guarded("outbox not sent", () -> settle(contested, onRegistered, onRefused)).orElse(0);
        }
        return new Flushed(delivered, outbox.names().size());
    }

    /** Registers users who took over addresses of each other in one call, which settles them together. */
    private int settle(Map<String, Map<String, Object>> contested, Save onRegistered,
            Undo onRefused) throws Exception {
        int delivered = 0;
        int others = outbox.names().size() - contested.size();
        List<String> names = List.copyOf(contested.keySet());
        for (int from = 0; from < names.size(); from += REGISTRATIONS_PER_CALL) {
            List<String> part = names.subList(from, Math.min(names.size(), from + REGISTRATIONS_PER_CALL));
            List<?> results = registerTogether(part.stream().map(contested::get).toList());
            for (int index = 0; index < Math.min(part.size(), results.size()); index++) {
                Map<String, Object> body = contested.get(part.get(index));
                Map<String, Object> result = Json.object(results.get(index));
                boolean isMismatch = isMismatch(result);
                long ageMs = System.currentTimeMillis() - Long.parseLong(part.get(index).substring(0, 13));
                if (isMismatch && (others > 0 || isMoving(result) && ageMs < EXCHANGE_MS_MAX)) continue;
                try {
                    if (text(result.get("svc_uid")) == null) throw new Refusal(codeOf(result, "without a code"));
                    finish(part.get(index), REGISTER, body, result, onRegistered, onRefused);
                    if (!isMismatch) delivered++;
                } catch (Refusal error) {
                    refuseLate(part.get(index), REGISTER, body, error, onRefused);
                } catch (Unsaved error) {
                    warn("an undelivered call is kept: " + about(body), error);
                }
            }
        }
        return delivered;
    }

    private List<?> registerTogether(List<Map<String, Object>> bodies) throws Exception {
        Map<String, Object> sent = object("registrations", bodies);
        return Json.list(callPatiently("/members/register/batch", sent, null, timeout).answer().get("results"));
    }

    /** Saves the uid of a delivered registration, or reports that another user has its address, and removes the call. */
    private void finish(String name, String path, Map<String, Object> body, Map<String, Object> answer,
            Save onRegistered, Undo onRefused) {
        if (path.equals(REGISTER) && isOwn(body, answer)) {
            String uid = text(answer.get("svc_uid"));
            String email = settledEmail(body, answer);
            notify("the uid was not saved", () -> onRegistered.save(text(body.get("local_user_id")), uid, email));
        } else if (path.equals(REGISTER)) {
            notifyRefusal(onRefused, body, "local_user_id_mismatch");
        }
        outbox.drop(name, keysOf(path, body));
    }

    /** Calls a function of the platform about the user of a registration. */
    private static void notify(String failure, Runnable function) {
        try {
            function.run();
        } catch (RuntimeException error) {
            throw new Unsaved(failure + ": " + error.getClass().getSimpleName());
        }
    }

    private static void notifyRefusal(Undo onRefused, Map<String, Object> body, String code) {
        String id = text(body.get("local_user_id"));
        notify(NOT_TAKEN, () -> onRefused.undo(id, code, text(body.get("email"))));
    }

    /** Removes a call of the outbox that was refused for good, once the platform has taken the refusal. */
    private void refuseLate(String name, String path, Map<String, Object> body, Refusal error,
            Undo onRefused) {
        try {
            if (path.equals(REGISTER)) notifyRefusal(onRefused, body, error.getMessage());
            refuse("an undelivered call was refused for good", name, path, body, error);
        } catch (Unsaved fault) {
            warn("an undelivered call is kept: " + about(body), fault);
        }
    }

    /** Removes a call that was refused for good. Of events and entitlements it is kept in the folder "refused". */
    private void refuse(String what, String name, String path, Map<String, Object> body, Refusal error) {
        boolean isKept = name != null && body.containsKey("svc_uid") && outbox.move(name, "refused", name);
        warn(what + ": " + about(body) + (isKept ? outbox.keptRefused(name) : ""), error);
        if (name != null) outbox.drop(name, keysOf(path, body));
    }

    /** Registers the users that the service lacks; run it every night. Stops at the first call that fails. */
    public Reconciled reconcile(Iterable<User> users, Save onRegistered) {
        int[] counts = new int[4];
        List<Failure> faults = new ArrayList<>();
        List<User> contested = new ArrayList<>();
        outbox.warnIfUnreadable();
        guarded("members not reconciled", () -> {
            List<User> batch = new ArrayList<>();
            for (User user : users) {
                try {
                    requireUsable(user);
                } catch (Failure error) {
                    if (counts[3]++ == 0) faults.add(error);
                    continue;
                }
                batch.add(user);
                if (batch.size() < HASHES_PER_CALL) continue;
                contested.addAll(reconcileBatch(batch, onRegistered, counts));
                batch.clear();
            }
            if (!batch.isEmpty()) contested.addAll(reconcileBatch(batch, onRegistered, counts));
            // Users who took over addresses of each other: each round frees some.
            for (int round = 1; !contested.isEmpty(); round++) {
                List<User> left = registerAll(contested, onRegistered, counts, round == ROUNDS_MAX);
                boolean isStuck = left.size() == contested.size() && round < ROUNDS_MAX;
                contested.clear();
                contested.addAll(left);
                if (isStuck) round = ROUNDS_MAX - 1;
            }
            return true;
        });
        faults.forEach(fault -> warn("users skipped by reconcile: " + counts[3] + ", the first", fault));
        return new Reconciled(counts[0], counts[1], counts[2], counts[3]);
    }

    private static void requireUsable(User user) {
        if (user == null) throw new Failure("no user");
        Map<String, Object> body = object("local_user_id", user.localUserId());
        requireId(body);
        if (user.email() == null || user.email().isBlank()) throw new Failure(about(body) + ": no address");
        if (user.since() == null) throw new Failure(about(body) + ": no time with a zone");
    }

    /** Returns the users whose address another user has. */
    private List<User> reconcileBatch(List<User> batch, Save onRegistered, int[] counts)
            throws Exception {
        Map<String, User> byHash = new LinkedHashMap<>();
        for (User user : batch) byHash.put(addressHash(user.email()), user);
        List<String> ids = byHash.values().stream().map(User::localUserId).toList();
        Map<String, Object> body =
            object("platform", platform, "hashes", List.copyOf(byHash.keySet()), "local_user_ids", ids);
        Map<String, Object> answer = callPatiently("/members/reconcile", body, null, timeout).answer();
        List<User> missing = Json.list(answer.get("missing")).stream()
            .map(byHash::get).filter(Objects::nonNull).toList();
        counts[0] += batch.size();
        counts[1] += missing.size();
        return registerAll(missing, onRegistered, counts, false);
    }

    /** Registers users in batches. Returns those whose address another user has, except in the last round. */
    private List<User> registerAll(List<User> users, Save onRegistered, int[] counts,
            boolean isLast) throws Exception {
        List<User> contested = new ArrayList<>();
        for (int from = 0; from < users.size(); from += REGISTRATIONS_PER_CALL) {
            List<User> part = users.subList(from, Math.min(users.size(), from + REGISTRATIONS_PER_CALL));
            List<Map<String, Object>> bodies = part.stream()
                .map(user -> object("email", user.email(), "platform", platform, "local_user_id", user.localUserId(),
                    "requested_at", instant(user.since())))
                .toList();
            List<?> results = registerTogether(bodies);
            for (int index = 0; index < Math.min(part.size(), results.size()); index++) {
                User user = part.get(index);
                Map<String, Object> result = Json.object(results.get(index));
                if (isMismatch(result) && !isLast) {
                    contested.add(user);
                } else if (result.get("svc_uid") instanceof String uid) {
                    if (!isOwn(bodies.get(index), result)) continue;
                    String email = settledEmail(bodies.get(index), result);
                    if (email != null) counts[2]++;
                    guarded("a uid was not saved", () -> {
                        onRegistered.save(user.localUserId(), uid, email);
                        return true;
                    });
                } else {
                    String code = codeOf(result, "without a code");
                    log("a user was not registered: " + about(bodies.get(index)) + " (" + code + ")");
                }
            }
        }
        return contested;
    }

    /** Refuses a call as the service would, without sending it. */
    private Result refuseUnsent(String failure, String path, Map<String, Object> body, String code) {
        List<String> keys = keysOf(path, body);
        Optional<String> name = guarded("the outbox failed", () -> outbox.put(keys, path, body, "refused"));
        warn(failure + ": " + about(body) + name.map(outbox::keptRefused).orElse(""), new Refusal(code));
        return new Result(Outcome.REFUSED, code, null);
    }

    /** Calls at once, with the call in the outbox until it has an answer. */
    private Result deliver(String failure, String path, Map<String, Object> body) {
        try {
            requireId(body);
        } catch (Failure error) {
            warn(failure, error);
            return new Result(Outcome.REFUSED, "local_user_id_missing", null);
        }
        // A call may arrive after a later one: the times say which statement counts.
        if (body.containsKey("local_user_id")) body.putIfAbsent("requested_at", now());
        List<String> keys = keysOf(path, body);
        String name = guarded("the outbox failed", () -> outbox.put(keys, path, body, "")).orElse(null);
        Map<String, Object> answer;
        try {
            if (name != null && mustWait(name, path, body)) throw new Failure("an earlier call waits");
            answer = answered(path, body, false);
        } catch (Refusal error) {
            refuse(failure, name, path, body, error);
            return new Result(Outcome.REFUSED, error.getMessage(), null);
        } catch (Exception | StackOverflowError error) {
            warn(failure + ": " + about(body), error);
            String text = Objects.requireNonNullElse(error.getMessage(), "");
            String code = error instanceof Failure && REASON.matcher(text).matches() ? text : "unreachable";
            return new Result(name == null ? Outcome.LOST : Outcome.WAITING, code, null);
        }
        if (!path.equals(REGISTER)) {
            if (name != null) outbox.drop(name, keys);
            return new Result(Outcome.DONE, null, null);
        }
        if (isMismatch(answer) && name != null && (isMoving(answer) || outbox.names().size() > 1)) {
            // The user who has the address may be about to give it up.
            log(about(body) + " waits for an address that another user has");
            return new Result(Outcome.WAITING, MISMATCH, null);
        }
        if (name != null) outbox.drop(name, keys);
        if (!isOwn(body, answer)) return new Result(Outcome.REFUSED, MISMATCH, null);
        boolean isCreated = Boolean.TRUE.equals(answer.get("created"));
        String email = settledEmail(body, answer);
        Member member = new Member(text(answer.get("svc_uid")), isCreated, text(answer.get("tier")), email);
        return new Result(Outcome.DONE, null, member);
    }

    /** True while a call waits that must be sent before: a leave of the id, or one about the same entitlement. */
    private boolean mustWait(String name, String path, Map<String, Object> body) {
        if (!Set.of(REGISTER, GRANT, REVOKE).contains(path)) return false;
        return outbox.isWaiting(keysOf(path.equals(REGISTER) ? "/members/leave" : path, body).get(0), name);
    }

    private static List<String> warningsOf(Map<String, Object> answer) {
        return Json.list(answer.get("warnings")).stream()
            .map(warning -> codeOf(Json.object(warning), "without a code")).toList();
    }

    /** The address of a registration; null if a later one of the user counts. */
    private static String settledEmail(Map<String, Object> body, Map<String, Object> answer) {
        return warningsOf(answer).contains("registration_outdated") ? null : text(body.get("email"));
    }

    /** True for an address that another user of the platform has. */
    private static boolean isMismatch(Map<String, Object> answer) {
        return warningsOf(answer).contains(MISMATCH);
    }

    /** True for a known user whose new address another one has: the two may be exchanging theirs. */
    private static boolean isMoving(Map<String, Object> answer) {
        return warningsOf(answer).contains("email_taken");
    }

    /** Logs the warnings of a registration. False if the uid is that of another user. */
    private static boolean isOwn(Map<String, Object> body, Map<String, Object> answer) {
        List<String> codes = warningsOf(answer);
        if (!codes.contains(MISMATCH)) {
            for (String code : codes) log(about(body) + " registered with the warning " + code);
            return true;
        }
        String holder = shown(text(answer.get("svc_uid")), "another svc_uid");
        log(about(body) + " not registered (" + MISMATCH + "): the address belongs to your user with " + holder
            + ". If that user has another address now, register both; only if that account is closed, call leave with its id");
        return false;
    }

    /** The answer of a call that changes something. A member without a link has left already. */
    private Map<String, Object> answered(String path, Map<String, Object> body, boolean isPatient) throws Exception {
        try {
            Reply reply = isPatient ? callPatiently(path, body, null, timeout) : call(path, body, null, timeout);
            return reply.answer();
        } catch (Refusal error) {
            String code = error.getMessage();
            if (path.equals("/members/leave") && code.equals("member_not_found")) return Map.of();
            if (!path.equals(REVOKE_SESSIONS)) throw error;
            if (Set.of("member_erased", "member_not_found").contains(code)) return Map.of();
            if (!code.equals("email_unverified") || "platform".equals(body.get("scope"))) throw error;
            Map<String, Object> ofPlatform = new LinkedHashMap<>(body);
            ofPlatform.put("scope", "platform");
            return answered(path, ofPlatform, isPatient);
        }
    }

    private record Reply(Map<String, Object> answer, List<String> cookies) {}

    private record Received(int status, byte[] body, List<String> cookies) {}

    /** Calls for a visitor, who does not wait for a service that hangs: after a time-out it fails at once for a while. */
    private Reply call(String path, Map<String, Object> body, Map<String, String> headers, Duration time)
            throws Exception {
        if (System.currentTimeMillis() < pausedUntilMs) throw new Failure("no call for some seconds after a time-out");
        return callPatiently(path, body, headers, time);
    }

    /** JSON object and cookies of an answer. Throws within the time, whatever the server does. */
    private Reply callPatiently(String path, Map<String, Object> body, Map<String, String> headers, Duration time)
            throws Exception {
        HttpRequest request = request(path, body, headers);
        // In a thread of its own: the timeout of a request ends with its headers.
        var exchange = threads.submit(() -> exchange(request));
        Received received;
        try {
            received = exchange.get(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
            pausedUntilMs = 0;
        } catch (TimeoutException error) {
            pausedUntilMs = System.currentTimeMillis() + PAUSE_MS;
            throw new Failure("no answer in time");
        } catch (ExecutionException error) {
            throw new Failure("unreachable");
        } finally {
            exchange.cancel(true);
        }
        String status = "status " + received.status();
        if (!(Json.read(received.body()) instanceof Map<?, ?> object)) {
            throw new Failure(status + " without a JSON object");
        }
        Map<String, Object> answer = Json.object(object);
        if (received.status() / 100 == 2) {
            if (!isExpected(path, answer)) throw new Failure("this is not the members service");
            return new Reply(answer, received.cookies());
        }
        String code = codeOf(answer, status);
        boolean isRetryable = Boolean.TRUE.equals(answer.get("retryable")) || !answer.containsKey("code");
        // A key can be replaced, its scopes extended, and an address corrected.
        List<String> correctable = List.of(UNSCOPED, "platform_disabled", "not_found");
        boolean isCorrectable = received.status() == 401 || correctable.contains(code);
        boolean isFinal = received.status() / 100 == 4 && !isRetryable && !isCorrectable;
        throw isFinal ? new Refusal(code) : new Failure(code);
    }

    private HttpRequest request(String path, Map<String, Object> body, Map<String, String> headers) {
        String[] words = path.split(" ");
        String place = words[words.length - 1]
            .replace("{svc_uid}", String.valueOf(body.get("svc_uid"))).replace("{code}", String.valueOf(body.get("code")));
        URI address;
        try {
            address = URI.create(url + place);
            if (address.getHost() == null) throw new IllegalArgumentException();
        } catch (IllegalArgumentException error) {
            throw new Failure("MARU_URL is not set to an address");
        }
        HttpRequest.Builder builder = HttpRequest.newBuilder(address)
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .method(words.length == 1 ? "POST" : words[0], HttpRequest.BodyPublishers.ofString(Json.write(body)));
        if (headers == null) builder.header("x-api-key", key);
        else headers.forEach(builder::header);
        return builder.build();
    }

    private Received exchange(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream stream = response.body()) {
            byte[] body = stream.readNBytes(ANSWER_BYTES_MAX + 1);
            if (body.length > ANSWER_BYTES_MAX) throw new IOException("The answer is too long.");
            return new Received(response.statusCode(), body, response.headers().allValues("set-cookie"));
        }
    }

    private static boolean isExpected(String path, Map<String, Object> answer) {
        return switch (path) {
            case "/members/register", "/auth/sso/issue" -> answer.get("svc_uid") instanceof String;
            case "/members/register/batch" -> answer.get("results") instanceof List;
            case "/members/reconcile" -> answer.get("missing") instanceof List;
            case "/members/events" -> answer.get("event_id") instanceof String;
            case GRANT -> answer.get("entitlement") instanceof Map;
            case REVOKE -> answer.get("ended") instanceof Number;
            case "/members/leave" -> answer.get("left") instanceof Boolean;
            case REVOKE_SESSIONS -> answer.get("revoked") instanceof Number;
            case "/auth/logout" -> answer.get("ok") instanceof Boolean;
            case "/auth/sso/verify" -> answer.get("active") instanceof Boolean
                && answer.get("sign_in_allowed") instanceof Boolean allowed
                && (!allowed || Json.object(answer.get("membership")).get("local_user_id") instanceof String);
            default -> false;
        };
    }

    /** The same call may succeed later. */
    private static class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    /** The service answered, but the platform could not save it. */
    private static final class Unsaved extends Failure {
        private static final long serialVersionUID = 1;

        Unsaved(String message) {
            super(message);
        }
    }

    /** The same call cannot succeed. */
    private static final class Refusal extends Failure {
        private static final long serialVersionUID = 1;

        Refusal(String code) {
            super(code);
        }
    }

    /** Session tokens of a Cookie header; other cookies are none of the service's business. */
    private static List<String> tokens(String cookie) {
        return TOKEN.matcher(Objects.requireNonNullElse(cookie, "")).results()
            .map(match -> match.group(1)).limit(TOKENS_MAX).toList();
    }

    /** Hash of an address as the service writes it. An unusual one counts as missing: registering again is harmless. */
    private static String addressHash(String email) {
        return sha256(email.strip().toLowerCase(Locale.ROOT));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String now() {
        return instant(Instant.now());
    }

    private static String instant(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static void requireId(Map<String, Object> body) {
        if (!body.containsKey("local_user_id")) return;
        String id = text(body.get("local_user_id"));
        if (id == null || id.isBlank()) throw new Failure("the user has no id");
    }

    /** The key of a call in the outbox, then those of earlier calls that it replaces. */
    private static List<String> keysOf(String path, Map<String, Object> body) {
        String user = "user " + body.get("local_user_id");
        String leave = "leave " + body.get("local_user_id");
        String event = "event " + body.get("event_id");
        String sessions = "sessions " + body.get("svc_uid");
        return switch (path) {
            case "/members/events" -> List.of(event, event);
            case "/members/leave" -> List.of(leave, leave, user);
            case GRANT, REVOKE -> List.of(subjectOf(body));
            case REVOKE_SESSIONS -> List.of(sessions, sessions);
            default -> List.of(user, user);
        };
    }

    /** The user or entitlement whose calls are sent in their order; null for another call. */
    private static String subjectOf(Map<String, Object> body) {
        boolean isEntitlement = body.containsKey("code");
        return isEntitlement ? "entitlement " + body.get("svc_uid") + " " + body.get("code") : text(body.get("local_user_id"));
    }

    private static String about(Map<String, Object> body) {
        String name = Stream.of("event_id", "code", "local_user_id", "svc_uid").filter(body::containsKey).findFirst().get();
        String kind = Map.of("event_id", "event", "code", "entitlement", "local_user_id", "user", "svc_uid", "sessions of")
            .get(name);
        return kind + " " + shown(text(body.get(name)), "with an id that is not logged");
    }

    /** An id for the log. Some platforms use addresses as ids. */
    private static String shown(String id, String otherwise) {
        return id != null && PLAIN_ID.matcher(id).matches() ? id : otherwise;
    }

    private static String text(Object value) {
        return value instanceof String text ? text : null;
    }

    private static Map<String, Object> object(Object... pairs) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int index = 0; index < pairs.length; index += 2) object.put((String) pairs[index], pairs[index + 1]);
        return object;
    }

    private static String codeOf(Map<String, Object> problem, String otherwise) {
        return problem.get("code") instanceof String code && CODE.matcher(code).matches() ? code : otherwise;
    }

    private static <Result> Optional<Result> guarded(String failure, Callable<Result> task) {
        try {
            return Optional.ofNullable(task.call());
        } catch (Exception | StackOverflowError error) {
            warn(failure, error);
            return Optional.empty();
        }
    }

    /** Logs a line without an address or a key: messages of other errors may have them. */
    private static void warn(String what, Throwable error) {
        if (error instanceof InterruptedException) Thread.currentThread().interrupt();
        log(what + " (" + (error instanceof Failure ? error.getMessage() : error.getClass().getSimpleName()) + ")");
    }

    private static void log(String text) {
        LOG.log(System.Logger.Level.WARNING, "members: " + text);
    }

    /**
     * A folder with a file for each undelivered call. It contains addresses: only its owner can read it. A later
     * registration of a user replaces an earlier one, so that an old address never overtakes a new one. A leave replaces
     * both, and no registration replaces a leave: the id may have been given to another user. Grants and revocations
     * replace nothing, and are sent in their order.
     */
    private record Outbox(String folder) {
        private static final Pattern NAME = Pattern.compile("[0-9]{13}-[0-9a-f]{8}-[0-9a-f]{16}\\.json");

        /** Logs that no call can be read, as in a job of another user. Before the first call there is no folder. */
        void warnIfUnreadable() {
            String fault = "is not set";
            if (!folder.isEmpty()) {
                try {
                    Files.list(Path.of(folder)).close();
                    for (String name : names().stream().limit(1).toList()) {
                        Files.newInputStream(Path.of(folder, name)).close();
                    }
                    return;
                } catch (NoSuchFileException error) {
                    return;
                } catch (IOException error) {
                    fault = "cannot be read";
                }
            }
            log("MARU_OUTBOX " + fault + ": run this as the web server's user, with its variables");
        }

        /** The oldest first. */
        List<String> names() {
            if (folder.isEmpty()) return List.of();
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                return files.map(file -> file.getFileName().toString())
                    .filter(name -> NAME.matcher(name).matches()).sorted(Comparator.naturalOrder()).toList();
            } catch (IOException | UncheckedIOException error) {
                return List.of();
            }
        }

        /**
         * Writes a file for a call; null without an outbox. It has the first of the keys and replaces the others. One that
         * is never sent is written in the folder "refused".
         */
        String put(List<String> keys, String path, Map<String, Object> body, String where) throws IOException {
            if (folder.isEmpty()) return null;
            boolean isPosix = Path.of(folder).getFileSystem().supportedFileAttributeViews().contains("posix");
            Files.createDirectories(Path.of(folder), permissions(isPosix, "rwx------"));
            if (names().size() >= OUTBOX_FILES_MAX) throw new Failure("it is full");
            byte[] content = bytes(Json.write(object("path", path, "body", body)));
            String random = HexFormat.of().toHexDigits(RANDOM.nextInt());
            String name = "%013d-%s-%s.json".formatted(System.currentTimeMillis(), random, digestOf(keys.get(0)));
            Path draft = Path.of(folder, "." + name);
            Files.createFile(draft, permissions(isPosix, "rw-------"));
            try (FileChannel file = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer text = ByteBuffer.wrap(content);
                while (text.hasRemaining()) file.write(text);
                file.force(true);
                if (!move("." + name, where, name)) throw new IOException();
            } catch (IOException error) {
                remove("." + name);
                throw error;
            }
            if (where.isEmpty()) dropEarlier(name, keys);
            return name;
        }

        /** True if a call with this key waits that is older than a file. */
        boolean isWaiting(String key, String name) {
            return isIn(names().stream().filter(other -> other.compareTo(name) < 0).toList(), key);
        }

        /** True if one of some files is a call with this key. */
        static boolean isIn(List<String> names, String key) {
            String end = digestOf(key) + ".json";
            return names.stream().anyMatch(name -> name.endsWith(end));
        }

        /** The place of a refused call for the log. An earlier one of the same event is removed. */
        String keptRefused(String name) {
            try (Stream<Path> files = Files.list(Path.of(folder, "refused"))) {
                files.map(file -> file.getFileName().toString())
                    .filter(other -> !other.equals(name) && other.endsWith(name.substring(22)))
                    .forEach(other -> remove("refused/" + other));
            } catch (IOException | UncheckedIOException error) {
                warn("the outbox failed", error);
            }
            return ", kept in refused/" + name;
        }

        /** Renames a file into a folder of the outbox; false if that fails. */
        boolean move(String from, String where, String name) {
            try {
                Path kept = Files.createDirectories(Path.of(folder, where));
                Files.move(Path.of(folder, from), kept.resolve(name), StandardCopyOption.ATOMIC_MOVE);
                return true;
            } catch (IOException error) {
                return false;
            }
        }

        /** Removes the drafts of processes that were killed. A young one may be in use. */
        void dropDrafts() {
            if (folder.isEmpty()) return;
            long before = System.currentTimeMillis() - DRAFT_AGE_MAX_MS;
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(".") && NAME.matcher(name.substring(1)).matches())
                    .filter(name -> Long.parseLong(name.substring(1, 14)) < before).forEach(this::remove);
            } catch (IOException | UncheckedIOException error) {
                return;
            }
        }

        /** Empty for a file that another process has delivered meanwhile, and for one that is set aside as unreadable. */
        Optional<Map<String, Object>> read(String name) {
            byte[] text;
            try {
                text = Files.readAllBytes(Path.of(folder, name));
            } catch (IOException error) {
                return Optional.empty();
            }
            Map<String, Object> entry = parsed(text);
            if (entry.get("path") instanceof String && entry.get("body") instanceof Map) return Optional.of(entry);
            if (move(name, "unreadable", name)) log("an unreadable file of the outbox is kept in unreadable/" + name);
            return Optional.empty();
        }

        private static Map<String, Object> parsed(byte[] text) {
            try {
                return Json.object(Json.read(text));
            } catch (RuntimeException | StackOverflowError error) {
                return Map.of();
            }
        }

        void drop(String name, List<String> keys) {
            remove(name);
            dropEarlier(name, keys);
        }

        private void dropEarlier(String name, List<String> keys) {
            for (String key : keys.subList(1, keys.size())) {
                String end = digestOf(key) + ".json";
                names().stream().filter(other -> other.compareTo(name) < 0 && other.endsWith(end)).forEach(this::remove);
            }
        }

        private static String digestOf(String key) {
            return sha256(key).substring(0, 16);
        }

        private void remove(String name) {
            try {
                Files.deleteIfExists(Path.of(folder, name));
            } catch (IOException error) {
                warn("the outbox failed", error);
            }
        }

        private static FileAttribute<?>[] permissions(boolean isPosix, String permissions) {
            if (!isPosix) return new FileAttribute<?>[0];
            var set = PosixFilePermissions.fromString(permissions);
            return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
        }
    }

    /** As much JSON as the hooks need. */
    private static final class Json {
        private static final int DEPTH_MAX = 32;
        private final String text;
        private int at = 0;

        private Json(String text) {
            this.text = text;
        }

        /** Null for anything that is not JSON. */
        static Object read(byte[] bytes) {
            Json json = new Json(new String(bytes, StandardCharsets.UTF_8));
            try {
                Object value = json.value(0);
                return json.peek() == 0 ? value : null;
            } catch (RuntimeException error) {
                return null;
            }
        }

        /** An empty object for anything else. */
        @SuppressWarnings("unchecked") // Names of a JSON object are strings.
        static Map<String, Object> object(Object value) {
            return value instanceof Map<?, ?> object ? (Map<String, Object>) object : Map.of();
        }

        static List<?> list(Object value) {
            return value instanceof List<?> list ? list : List.of();
        }

        static String write(Object value) {
            if (value instanceof Double number && !Double.isFinite(number)) throw new Failure("a number is not JSON");
            if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
            if (value instanceof Map<?, ?> object) {
                List<String> members = new ArrayList<>();
                object.forEach((name, item) -> members.add(quoted(String.valueOf(name)) + ":" + write(item)));
                return "{" + String.join(",", members) + "}";
            }
            if (value instanceof Iterable<?> list) {
                List<String> items = new ArrayList<>();
                for (Object item : list) items.add(write(item));
                return "[" + String.join(",", items) + "]";
            }
            return quoted(String.valueOf(value));
        }

        private static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char character : text.toCharArray()) {
                if (character == '"' || character == '\\') quoted.append('\\').append(character);
                else if (character < ' ') quoted.append("\\u%04x".formatted((int) character));
                else quoted.append(character);
            }
            return quoted.append('"').toString();
        }

        private Object value(int depth) {
            if (depth > DEPTH_MAX) throw new IllegalArgumentException("too deep");
            switch (peek()) {
                case '{': {
                    Map<String, Object> object = new LinkedHashMap<>();
                    for (boolean more = opens('}'); more; more = goesOn('}')) {
                        if (peek() != '"') throw new IllegalArgumentException("no name");
                        String name = string();
                        expected(":", null);
                        object.put(name, value(depth + 1));
                    }
                    return object;
                }
                case '[': {
                    List<Object> list = new ArrayList<>();
                    for (boolean more = opens(']'); more; more = goesOn(']')) list.add(value(depth + 1));
                    return list;
                }
                case '"': return string();
                case 't': return expected("true", true);
                case 'f': return expected("false", false);
                case 'n': return expected("null", null);
                default: return number();
            }
        }

        /** Next character after white space, 0 at the end. */
        private char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean opens(char end) {
            at++;
            boolean isEmpty = peek() == end;
            if (isEmpty) at++;
            return !isEmpty;
        }

        private boolean goesOn(char end) {
            char next = peek();
            at++;
            if (next != end && next != ',') throw new IllegalArgumentException("no separator");
            return next == ',';
        }

        private Object expected(String word, Object value) {
            peek();
            if (!text.startsWith(word, at)) throw new IllegalArgumentException("unexpected");
            at += word.length();
            return value;
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    string.append(text.charAt(at));
                    continue;
                }
                char escaped = text.charAt(++at);
                int plain = "bfnrt".indexOf(escaped);
                if (escaped == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    string.append(plain < 0 ? escaped : "\b\f\n\r\t".charAt(plain));
                }
            }
            at++;
            return string.toString();
        }

        private Object number() {
            int from = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
            return Double.valueOf(text.substring(from, at));
        }
    }
}
