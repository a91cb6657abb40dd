import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { webhookSecret } from './receivers.ts';

/** A guide that builds a shop; its blocks of code are one program. */
export interface ShopSample {
  readonly page: 'shop' | 'shop-php';
  readonly name: string;
  readonly runtime: 'python3' | 'php';
  /** Condition that guards the block that walks through all steps. */
  readonly condition: string;
  /** Code to add to the program: webhooks about an existing user, and calls that Maru refuses later. */
  readonly later: string;
  /** Lines that the program prints. */
  readonly walk: readonly string[];
  /** Lines that `later` prints. */
  readonly laterLines: readonly string[];
}

/** The program of a guide, changed to walk through its steps. */
export function programOf({ page, condition }: ShopSample, language: 'en' | 'ko'): string {
  const path = resolve(import.meta.dirname, `../../docs/${language}/${page}.md`);
  const blocks = readFileSync(path, 'utf8').matchAll(
    /^```(?:php|python) shop-[\w-]+\n([^]*?)^```/gm,
  );
  const code = Array.from(blocks, ([, block]) => block!).join('\n\n');
  return code.replace(condition, '1');
}

const later = `
import base64, hashlib, hmac, time


def deliver(message_id, kind, data):
    body = json.dumps({"type": kind, "data": data}).encode()
    at, key = str(int(time.time())), base64.b64decode("${webhookSecret}"[6:])
    signed = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    headers = {"webhook-id": message_id, "webhook-timestamp": at}
    headers["webhook-signature"] = "v1," + base64.b64encode(signed).decode()
    return receive_webhook(headers, body, message_id)


chan = sign_up("chan@shop.example")
confirm(chan, "chan@shop.example")
uid = user_of_id(chan)["svc_uid"]
db.execute("UPDATE users SET svc_uid = 'svc_old' WHERE id = ?", (chan,))
moved = {"local_user_id": str(chan), "svc_uid": "svc_late"}
print("webhook", deliver("m-1", "membership.moved", moved), user_of_id(chan)["svc_uid"] == uid)
print("webhook", deliver("m-2", "member.erased", {"svc_uid": uid}), user_of_id(chan)["state"])
print("repeat", deliver("m-2", "member.erased", {"svc_uid": uid}), confirm(chan, "chan@other.example"))
rejoin(chan)
print("rejoined", user_of_id(chan)["state"], user_of_id(chan)["svc_uid"][:4])

confirm(chan, "chan@next.example")
undo_address(chan, "invalid_email", "chan@lost.example")
print("kept", user_of_id(chan)["email"])
db.execute("UPDATE users SET email = 'chan@lost.example' WHERE id = ?", (chan,))
for _ in range(2):
    undo_address(chan, "invalid_email", "chan@lost.example")
print("undone", user_of_id(chan)["email"], user_of_id(chan)["since"] is not None)
import io


def request(path, cookie):
    sent = []
    environ = {"PATH_INFO": path, "HTTP_COOKIE": cookie, "wsgi.input": io.BytesIO(), "REQUEST_METHOD": "POST"}
    shown = b"".join(app(environ, lambda *start: sent.extend(start))).decode()
    return sent[0][:3], shown.split(" ")[1:2], [value.split("=")[0] for name, value in sent[1] if name == "Set-Cookie"]


dana, eun = sign_up("dana@shop.example"), sign_up("eun@shop.example")
confirm(dana, "dana@shop.example"), confirm(eun, "eun@shop.example")
addresses = lambda: [user_of_id(user)["email"].split("@")[0] for user in (dana, eun)]
print("first link", confirm_or_exchange(dana, "eun@shop.example"), addresses())
db.execute("UPDATE wishes SET since = '2026-01-01'")
print("too late", confirm_or_exchange(eun, "dana@shop.example"), addresses())
db.execute("DELETE FROM wishes WHERE user_id = ?", (eun,))
confirm_or_exchange(dana, "eun@shop.example")
own, cookies = log_in(eun)
print("exchanged", is_shared(confirm_or_exchange(eun, "dana@shop.example", own)), addresses())
print("other", visit(cookies[0].split(";")[0], own_session(own["id"]))["user_id"] == eun)
fay = sign_up("fay@shop.example")
print("reserved", [confirm(fay, f"{name}@shop.example") for name in ("dana", "eun")])
every_minute()
print("settled", [user_of_id(user)["settled_email"].split("@")[0] for user in (dana, eun)])
print("signed in", [visit(log_in(user)[1][0].split(";")[0], None)["user_id"] == user for user in (dana, eun)])
confirm_or_exchange(dana, "dana@shop.example")
import os

arrivals = [log_in(user)[1][0].split(";")[0] for user in (dana, eun)]
if os.fork() == 0:
    db = sqlite3.connect("shop.db", isolation_level=None)
    db.row_factory = sqlite3.Row
    register = lambda *given: os.kill(os.getpid(), 9)
    confirm_or_exchange(eun, "eun@shop.example")
print("killed", os.wait()[1], addresses(), [is_shared(log_in(user)[1]) for user in (dana, eun)])
print("offered", [visit(cookie, None)["user_id"] == user for cookie, user in zip(arrivals, (dana, eun))])
every_minute()
print("made good", [visit(log_in(user)[1][0].split(";")[0], None)["user_id"] == user for user in (dana, eun)])
own, cookies = log_in(chan)
shared = "; ".join(each.split(";")[0] for each in cookies)
print("serves", request("/", shared), request("/", f"{shared}; own={own['id']}"), request("/", ""))
print("ends", request("/logout", f"{shared}; own={own['id']}")[2][:2], request("/webhook", "")[0])
maru.leave(chan)
db.execute("UPDATE users SET svc_uid = NULL, since = '2026-01-01T00:00:00Z' WHERE id = ?", (chan,))
every_night()
print("missed", user_of_id(chan)["state"])

gio = sign_up("gio@shop.example")
confirm(gio, "gio@shop.example")
db.execute("UPDATE users SET email = 'gio@two.example' WHERE id = ?", (gio,))
save_uid(gio, "svc_one", "gio@one.example")
save_uid(gio, "svc_two", None)
undo_address(gio, "invalid_email", "gio@two.example")
print("two servers", user_of_id(gio)["svc_uid"], user_of_id(gio)["email"])
`;

const walk = [
  'confirmed [] svc_',
  'visits as True True',
  "bought ['archive']",
  'moved True True None',
  'taken None []',
  'refused [] True',
  'refunded []',
  'left svc_sso=; None',
  'came back True svc_',
  'unsettled 0',
];

const laterLines = [
  'webhook 204 True',
  'webhook 204 erased',
  'repeat 204 []',
  'rejoined open svc_',
  'kept chan@next.example',
  'undone chan@next.example True',
  "first link None ['dana', 'eun']",
  "too late None ['dana', 'eun']",
  "exchanged False ['eun', 'dana']",
  'other True',
  'reserved [None, None]',
  "settled ['eun', 'dana']",
  'signed in [True, True]',
  "killed 9 ['dana', 'eun'] [False, False]",
  'offered [True, True]',
  'made good [True, True]',
  "serves ('200', ['user'], ['own']) ('200', ['user'], []) ('200', ['guest'], [])",
  "ends ['svc_sso', 'svc_uid'] 400",
  'missed erased',
  'two servers svc_two gio@one.example',
];

export const pythonShop: ShopSample = {
  page: 'shop',
  name: 'Python',
  runtime: 'python3',
  condition: 'sys.argv[1:] == ["try"]',
  later,
  walk,
  laterLines,
};
