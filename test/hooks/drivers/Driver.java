import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs the hooks for the tests as driver.py does. */
public final class Driver {
    private static final Maru MARU =
        new Maru(Duration.ofMillis(Long.parseLong(System.getenv("TIMEOUT_MS"))), System::getenv);

    public static void main(String[] none) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t", -1);
            System.out.println(String.join("\t", run(words[0], Arrays.asList(words).subList(1, words.length))));
        }
    }

    /** Ends the process as kill -9 does, between a callback and what follows it. */
    private static void dieNow() {
        if (System.getenv("DIE") != null) Runtime.getRuntime().halt(137);
    }

    private static List<String> run(String call, List<String> given) {
        List<String> late = new ArrayList<>();
        Maru.Save save = (id, uid, email) -> {
            if (id.endsWith("unsaved")) throw new IllegalStateException(id);
            late.add(id + "=" + uid + (email == null ? "" : "=" + email));
            dieNow();
        };
        Maru.Undo undo = (id, code, email) -> {
            if (id.endsWith("unsaved")) throw new IllegalStateException(id);
            late.add(id + "!" + code + "!" + email);
            dieNow();
        };
        switch (call) {
            case "register":
                Boolean isVerified = given.size() < 3 ? null : Boolean.valueOf(given.get(2));
                Maru.Result result = MARU.register(
                    new Maru.Registration(given.get(0), given.get(1), Map.of(), isVerified, null, null));
                return joined(List.of(result.member() == null ? "-" : result.member().svcUid()), outcome(result));
            case "settle":
                Maru.Member settled = MARU.register(new Maru.Registration(given.get(0), given.get(1), Map.of(), null,
                    null, instant(given.get(2)))).member();
                return List.of(settled == null || settled.email() == null ? "-" : settled.email());
            case "everywhere":
                return List.of(String.valueOf(MARU.logoutEverywhere(given.get(0))));
            case "cookies":
                return MARU.ssoCookies(given.get(0), given.get(1));
            case "verify":
                return MARU.verify(given.get(0))
                    .map(verdict -> verdict.signInAllowed()
                        ? joined(List.of("yes", verdict.localUserId()), verdict.entitlements())
                        : List.of("no", verdict.reason()))
                    .orElse(List.of("-"));
            case "logout":
                return MARU.logout(given.get(0), given.get(1))
                    .map(ended -> joined(List.of(String.valueOf(ended.revoked())), ended.cookies()))
                    .orElse(List.of("-"));
            case "leave":
                return outcome(MARU.leave(given.get(0)));
            case "grant":
                Instant until = given.size() < 3 ? null : instant(given.get(2));
                Instant since = given.size() < 4 ? null : instant(given.get(3));
                return outcome(MARU.grant(given.get(0), given.get(1), until, since));
            case "revoke":
                return outcome(MARU.revoke(given.get(0), given.get(1)));
            case "grant_to":
                return outcome(MARU.grant(given.get(0), given.get(1), null, null, given.get(2)));
            case "revoke_from":
                return outcome(MARU.revoke(given.get(0), given.get(1), given.get(2)));
            case "event":
                Map<String, Object> meta = Map.of("amount", new BigDecimal("1"));
                Maru.Result logged = given.size() < 4
                    ? MARU.logEvent(given.get(0), given.get(1), meta, given.get(2))
                    : MARU.logEvent(given.get(0), given.get(1), meta, given.get(2), instant(given.get(3)));
                return joined(List.of(logged.isDone() ? given.get(2) : "-"), outcome(logged));
            case "webhook":
                Map<String, String> headers = Map.of("webhook-id", given.get(0), "webhook-timestamp", given.get(1),
                    "webhook-signature", given.get(2));
                byte[] body = given.get(3).getBytes(StandardCharsets.UTF_8);
                return List.of(String.valueOf(MARU.verifyWebhook(headers::get, body)));
            case "flush":
                Maru.Flushed flushed = MARU.flush(save, undo);
                return joined(List.of("" + flushed.delivered(), "" + flushed.pending()), late);
            default:
                List<Maru.User> users = new ArrayList<>();
                for (int at = 0; at < given.size(); at += 3) {
                    String email = given.get(at).isEmpty() ? null : given.get(at);
                    users.add(new Maru.User(email, given.get(at + 1), instant(given.get(at + 2))));
                }
                Maru.Reconciled counts = MARU.reconcile(users, save);
                return joined(List.of(counts.checked() + "/" + counts.missing() + "/" + counts.registered() + "/"
                    + counts.skipped()), late);
        }
    }

    private static List<String> outcome(Maru.Result result) {
        String code = result.code() == null ? "-" : result.code();
        return List.of(result.outcome().toString().toLowerCase(Locale.ROOT), code);
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException error) {
            return null;
        }
    }

    private static List<String> joined(List<String> first, List<String> more) {
        List<String> all = new ArrayList<>(first);
        all.addAll(more);
        return all;
    }
}
