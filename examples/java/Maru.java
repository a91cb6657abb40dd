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
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
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
 * maru.register("asha@example.com", "77")                 // after a sign-up, and after a change of address
 *     .ifPresent(member -> users.saveSvcUid("77", member.svcUid()));
 * }</pre>
 *
 * No method throws, and none takes longer than the timeout, whatever the service answers. A failure is logged and an
 * empty result. The settings are environment variables:
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
    private static final long DRAFT_AGE_MAX_MS = 3_600_000;
    private static final String MISMATCH = "local_user_id_mismatch";

    private static final System.Logger LOG = System.getLogger("maru");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern TOKEN = Pattern.compile("(?:^|;)\\s*svc_sso=(svcs_[a-z2-7]+)(?=;|\\s|$)");
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");
    private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");

    /** A registered user. */
    public record Member(String svcUid, boolean created, String tier) {}

    /** Whether the bearer of a session may be logged in here, and as which user; the reason if not. */
    public record Verdict(boolean signInAllowed, String localUserId, String svcUid, String reason) {}

    /** An ended session. Relay the cookies, which clear the pair. */
    public record Ended(boolean revoked, List<String> cookies) {}

    /**
     * A user of the platform, and the time from which the user has that address: of the sign-up, or of the last change.
     * With it a user who left or was erased later is not registered again; a user without it is skipped.
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
     * Registers a user after a sign-up or a change of address. Empty also while another user of yours has the address:
     * their uid is not for this user.
     */
    public Optional<Member> register(String email, String localUserId) {
        return register(email, localUserId, Map.of());
    }

    public Optional<Member> register(String email, String localUserId, Map<String, Object> extra) {
        Map<String, Object> body = object("email", email, "platform", platform, "local_user_id", localUserId,
            "extra", extra, "requested_at", now());
        return deliver("member not registered", "/members/register", body)
            .filter(answer -> isOwn(body, answer))
            .map(answer -> new Member(text(answer.get("svc_uid")), Boolean.TRUE.equals(answer.get("created")),
                text(answer.get("tier"))));
    }

    /** Ends the membership of a user who closed the account. True once the service has done so. */
    public boolean leave(String localUserId) {
        Map<String, Object> body = object("local_user_id", localUserId, "requested_at", now());
        return deliver("member not removed", "/members/leave", body).isPresent();
    }

    /**
     * Logs a visit, login, purchase or referral. An event id of your own, such as an order number, counts once. False
     * without a call for a user who has no svc_uid yet: log the event again once it is saved, with its time.
     */
    public boolean logEvent(String svcUid, String event, Map<String, Object> meta, String eventId) {
        return logEvent(svcUid, event, meta, eventId, Instant.now());
    }

    /** Logs an event that occurred earlier. */
    public boolean logEvent(String svcUid, String event, Map<String, Object> meta, String eventId, Instant at) {
        if (at == null) {
            log("event not logged (no time with a zone)");
            return false;
        }
        if (svcUid == null || svcUid.isEmpty()) {
            log("event not logged (the user has no svc_uid yet)");
            return false;
        }
        Map<String, Object> body = object("svc_uid", svcUid, "platform", platform, "event", event, "meta", meta,
            "event_id", eventId, "occurred_at", instant(at));
        return deliver("event not logged", "/members/events", body).isPresent();
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

    /** Verifies the Cookie header of a visitor. Empty if the service was not reached: your own session counts then. */
    public Optional<Verdict> verify(String cookie) {
        return guarded("session not verified", () -> {
            long endsAt = System.nanoTime() + timeout.toNanos();
            Map<String, Map<String, Object>> active = new LinkedHashMap<>();
            for (String token : tokens(cookie)) {
                Duration left = Duration.ofNanos(endsAt - System.nanoTime());
                Map<String, Object> verdict = call("/auth/sso/verify", object("token", token), null, left).answer();
                if (Boolean.TRUE.equals(verdict.get("active"))) {
                    active.putIfAbsent(text(verdict.get("svc_uid")), verdict);
                }
            }
            // Sessions of two members are ambiguous.
            if (active.size() != 1) return new Verdict(false, null, null, "session_ended");
            Map<String, Object> verdict = active.values().iterator().next();
            boolean allowed = Boolean.TRUE.equals(verdict.get("sign_in_allowed"));
            String localUserId = allowed ? text(Json.object(verdict.get("membership")).get("local_user_id")) : null;
            return new Verdict(allowed, localUserId, text(verdict.get("svc_uid")), text(verdict.get("reason")));
        });
    }

    /** Ends the session in a Cookie header; the scope is "one", or "all" for every device. Empty: it is still live. */
    public Optional<Ended> logout(String cookie, String scope) {
        return guarded("shared session not ended", () -> {
            List<String> pairs = tokens(cookie).stream().map(token -> "svc_sso=" + token).toList();
            Map<String, String> headers =
                Map.of("cookie", String.join("; ", pairs), "origin", origin, "x-svc-client", "Maru.java");
            Reply reply = call("/auth/logout", object("scope", scope), headers, timeout);
            return new Ended(Boolean.TRUE.equals(reply.answer().get("revoked")), reply.cookies());
        });
    }

    /** Verifies the signature of a webhook over its raw body. Its headers come from {@code request::getHeader}. */
    public boolean verifyWebhook(UnaryOperator<String> header, byte[] body) {
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

    /** Sends undelivered calls again; run it every minute ({@code @Scheduled}). The function saves an id's uid. */
    public Flushed flush(BiConsumer<String, String> onRegistered) {
        int delivered = 0;
        int failures = 0;
        outbox.dropDrafts();
        for (String name : outbox.names()) {
            if (failures == FAILURES_IN_A_ROW_MAX) break;
            Optional<Map<String, Object>> entry = outbox.read(name);
            if (entry.isEmpty()) continue;
            Map<String, Object> body = Json.object(entry.get().get("body"));
            try {
                String path = text(entry.get().get("path"));
                Map<String, Object> answer = answered(path, body);
                if (path.equals("/members/register") && isOwn(body, answer)) {
                    onRegistered.accept(text(body.get("local_user_id")), text(answer.get("svc_uid")));
                }
                outbox.drop(name);
                delivered++;
                failures = 0;
            } catch (Refusal error) {
                warn("an undelivered call was refused for good: " + about(body), error);
                outbox.drop(name);
            } catch (Exception error) {
                warn("an undelivered call is kept", error);
                failures++;
            }
        }
        return new Flushed(delivered, outbox.names().size());
    }

    /** Registers the users that the service lacks; run it every night. Stops at the first call that fails. */
    public Reconciled reconcile(Iterable<User> users, BiConsumer<String, String> onRegistered) {
        int[] counts = new int[4];
        List<Failure> faults = new ArrayList<>();
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
                reconcileBatch(batch, onRegistered, counts);
                batch.clear();
            }
            if (!batch.isEmpty()) reconcileBatch(batch, onRegistered, counts);
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

    private void reconcileBatch(List<User> batch, BiConsumer<String, String> onRegistered, int[] counts)
            throws Exception {
        Map<String, User> byHash = new LinkedHashMap<>();
        for (User user : batch) byHash.put(addressHash(user.email()), user);
        Map<String, Object> body = object("platform", platform, "hashes", List.copyOf(byHash.keySet()));
        Map<String, Object> answer = call("/members/reconcile", body, null, timeout).answer();
        List<User> missing = Json.list(answer.get("missing")).stream()
            .map(byHash::get).filter(Objects::nonNull).toList();
        counts[0] += batch.size();
        counts[1] += missing.size();
        for (int from = 0; from < missing.size(); from += REGISTRATIONS_PER_CALL) {
            List<User> part = missing.subList(from, Math.min(missing.size(), from + REGISTRATIONS_PER_CALL));
            counts[2] += registerBatch(part, onRegistered);
        }
    }

    private int registerBatch(List<User> users, BiConsumer<String, String> onRegistered) throws Exception {
        List<Map<String, Object>> registrations = users.stream()
            .map(user -> object("email", user.email(), "platform", platform, "local_user_id", user.localUserId(),
                "requested_at", instant(user.since())))
            .toList();
        Map<String, Object> body = object("registrations", registrations);
        List<?> results = Json.list(call("/members/register/batch", body, null, timeout).answer().get("results"));
        int registered = 0;
        for (int index = 0; index < Math.min(users.size(), results.size()); index++) {
            String localUserId = users.get(index).localUserId();
            Map<String, Object> sent = registrations.get(index);
            Map<String, Object> result = Json.object(results.get(index));
            if (result.get("svc_uid") instanceof String uid) {
                if (!isOwn(sent, result)) continue;
                registered++;
                guarded("a uid was not saved", () -> {
                    onRegistered.accept(localUserId, uid);
                    return true;
                });
            } else {
                log("a user was not registered: " + about(sent) + " (" + codeOf(result, "without a code") + ")");
            }
        }
        return registered;
    }

    /** Calls at once, with the call in the outbox until it has an answer. */
    private Optional<Map<String, Object>> deliver(String failure, String path, Map<String, Object> body) {
        try {
            requireId(body);
        } catch (Failure error) {
            warn(failure, error);
            return Optional.empty();
        }
        Optional<String> name = guarded("the outbox failed", () -> outbox.put(keyOf(body), path, body));
        // Only a retry needs the time of its first attempt.
        body.remove("requested_at");
        try {
            Map<String, Object> answer = answered(path, body);
            name.ifPresent(outbox::drop);
            return Optional.of(answer);
        } catch (Exception | StackOverflowError error) {
            warn(failure + ": " + about(body), error);
            if (error instanceof Refusal) name.ifPresent(outbox::drop);
            return Optional.empty();
        }
    }

    /** Logs the warnings of a registration. False if the uid is that of another user. */
    private static boolean isOwn(Map<String, Object> body, Map<String, Object> answer) {
        List<String> codes = Json.list(answer.get("warnings")).stream()
            .map(warning -> codeOf(Json.object(warning), "without a code")).toList();
        for (String code : codes) {
            if (!code.equals(MISMATCH)) log(about(body) + " registered with the warning " + code);
        }
        if (!codes.contains(MISMATCH)) return true;
        String holder = shown(text(answer.get("svc_uid")), "another svc_uid");
        log(about(body) + " not registered (" + MISMATCH + "): the address belongs to your user with " + holder
            + ". If that account is closed, call leave with its id, then register again");
        return false;
    }

    /** The answer of a call that changes something. A member without a link has left already. */
    private Map<String, Object> answered(String path, Map<String, Object> body) throws Exception {
        try {
            return call(path, body, null, timeout).answer();
        } catch (Refusal error) {
            if (path.equals("/members/leave") && error.getMessage().equals("member_not_found")) return Map.of();
            throw error;
        }
    }

    private record Reply(Map<String, Object> answer, List<String> cookies) {}

    private record Received(int status, byte[] body, List<String> cookies) {}

    /** JSON object and cookies of an answer. Throws within the time, whatever the server does. */
    private Reply call(String path, Map<String, Object> body, Map<String, String> headers, Duration time)
            throws Exception {
        HttpRequest request = request(path, Json.write(body), headers);
        // In a thread of its own: the timeout of a request ends with its headers.
        var exchange = threads.submit(() -> exchange(request));
        Received received;
        try {
            received = exchange.get(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException error) {
            throw new Failure("no answer in time");
        } catch (ExecutionException error) {
            throw new Failure("no whole answer");
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
        List<String> correctable = List.of("insufficient_scope", "platform_disabled", "not_found");
        boolean isCorrectable = received.status() == 401 || correctable.contains(code);
        boolean isFinal = received.status() / 100 == 4 && !isRetryable && !isCorrectable;
        throw isFinal ? new Refusal(code) : new Failure(code);
    }

    private HttpRequest request(String path, String body, Map<String, String> headers) {
        URI address;
        try {
            address = URI.create(url + path);
            if (address.getHost() == null) throw new IllegalArgumentException();
        } catch (IllegalArgumentException error) {
            throw new Failure("MARU_URL is not set to an address");
        }
        HttpRequest.Builder builder = HttpRequest.newBuilder(address)
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
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
            case "/members/leave" -> answer.get("left") instanceof Boolean;
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

    /** Calls of one key replace each other in the outbox. */
    private static String keyOf(Map<String, Object> body) {
        String id = text(body.get("local_user_id"));
        return id != null ? "user " + id : "event " + body.get("event_id");
    }

    private static String about(Map<String, Object> body) {
        String[] parts = keyOf(body).split(" ", 2);
        return parts[0] + " " + shown(parts[1], "with an id that is not logged");
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
     * A folder with a file for each undelivered call. It contains addresses: only its owner can read it. A later call
     * about the same user replaces an earlier one, so that an old address never overtakes a new one.
     */
    private record Outbox(String folder) {
        private static final Pattern NAME = Pattern.compile("[0-9]{13}-[0-9a-f]{8}-[0-9a-f]{16}\\.json");

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

        /** Writes a file for a call; null without an outbox. */
        String put(String about, String path, Map<String, Object> body) throws IOException {
            if (folder.isEmpty()) return null;
            boolean isPosix = Path.of(folder).getFileSystem().supportedFileAttributeViews().contains("posix");
            Files.createDirectories(Path.of(folder), permissions(isPosix, "rwx------"));
            if (names().size() >= OUTBOX_FILES_MAX) throw new Failure("it is full");
            byte[] content = bytes(Json.write(object("path", path, "body", body)));
            String random = HexFormat.of().toHexDigits(RANDOM.nextInt());
            String digest = sha256(about).substring(0, 16);
            String name = "%013d-%s-%s.json".formatted(System.currentTimeMillis(), random, digest);
            Path draft = Path.of(folder, "." + name);
            Files.createFile(draft, permissions(isPosix, "rw-------"));
            try (FileChannel file = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer text = ByteBuffer.wrap(content);
                while (text.hasRemaining()) file.write(text);
                file.force(true);
                Files.move(draft, Path.of(folder, name), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException error) {
                remove("." + name);
                throw error;
            }
            dropEarlier(name);
            return name;
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

        /** Empty for a file that another process has delivered meanwhile. */
        Optional<Map<String, Object>> read(String name) {
            try {
                Map<String, Object> entry = Json.object(Json.read(Files.readAllBytes(Path.of(folder, name))));
                return entry.get("path") instanceof String ? Optional.of(entry) : Optional.empty();
            } catch (IOException error) {
                return Optional.empty();
            }
        }

        void drop(String name) {
            remove(name);
            dropEarlier(name);
        }

        private void dropEarlier(String name) {
            String about = name.substring(name.length() - 21);
            names().stream().filter(other -> other.compareTo(name) < 0 && other.endsWith(about)).forEach(this::remove);
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
