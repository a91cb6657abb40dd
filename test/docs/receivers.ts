import { signedHeaders } from '../../src/members/webhooks.ts';

export const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/**
 * Code to add to a sample of the hooks: the functions that its reader writes, and a call that receives a webhook
 * message and prints the status of the answer.
 */
export const receivers: Readonly<Record<string, (message: object) => string>> = {
  'hook-python': receiverOf(
    (headers, body) => `
def user_with(user_id):
    return "first@example.com", user_id, "2026-01-01T00:00:00Z"


def forget_uid(svc_uid):
    print("forgets", svc_uid)


print(receive_webhook(${headers}, ${JSON.stringify(body)}))
`,
  ),
  'hook-php': receiverOf(
    (headers, body) => `
function user_with(string $id): array
{
    return ['first@example.com', $id, '2026-01-01T00:00:00Z'];
}

function forget_uid(string $svcUid): void
{
    echo "forgets $svcUid\\n";
}

echo receive_webhook($maru, json_decode('${headers}', true), '${body}'), "\\n";
`,
  ),
  'hook-ruby': receiverOf(
    (headers, body) => `
def user_with(id)
  ["first@example.com", id, "2026-01-01T00:00:00Z"]
end

def forget_uid(svc_uid)
  puts "forgets #{svc_uid}"
end

puts receive_webhook(JSON.parse('${headers}'), '${body}')
`,
  ),
  'hook-shell': (message) => {
    const { headers, body } = signMessage(message);
    const [id, at, signature] = Object.values(headers);
    return `
address_of() {
  echo first@example.com
}

forget_uid() {
  echo "forgets $1"
}

export HTTP_WEBHOOK_ID=${id} HTTP_WEBHOOK_TIMESTAMP=${at} HTTP_WEBHOOK_SIGNATURE=${signature}
printf %s '${body}' > body.json
receive_webhook body.json && echo 204
`;
  },
};

/** Code to add to a sample: opens a link in other browsers and prints their cookies, then confirms a refused address. */
export const links: Readonly<Record<string, string>> = {
  'hook-python': `
others = [None, {"user_id": "u-2", "shared": True}]
print("relays", *[after_confirmation("asha@example.com", "u-1", each) for each in others])
refused = {"user_id": "u-1", "shared": True}
assert after_confirmation("asha@localhost", "u-1", refused)[0].startswith("svc_sso=;")
print("shared", str(refused["shared"]).lower())
`,
  'hook-php': `
function set_shared(array $own, bool $shared): void
{
    echo 'shared ', var_export($shared, true), "\\n";
}

foreach ([null, ['user_id' => 'u-2', 'shared' => true]] as $each) {
    after_confirmation($maru, 'asha@example.com', 'u-1', $each);
}
echo "relays [] []\n";
after_confirmation($maru, 'asha@localhost', 'u-1', ['user_id' => 'u-1', 'shared' => true]);
`,
  'hook-ruby': `
others = [nil, { user_id: "u-2", shared: true }]
puts "relays #{others.map { |each| after_confirmation("asha@example.com", "u-1", each).to_s }.join(" ")}"
own[:shared] = true
raise unless after_confirmation("asha@localhost", "u-1", own).first.start_with?("svc_sso=;")
puts "shared #{own[:shared]}"
`,
  'hook-shell': `
relayed=''
for other in '' u-2; do
  relayed="$relayed [$(after_confirmation asha@example.com u-1 "$other" | sed -n /svc_sso/p)]"
done
echo "relays$relayed"
after_confirmation asha@localhost u-1 u-1
`,
};

function receiverOf(write: (headers: string, body: string) => string) {
  return (message: object): string => {
    const { headers, body } = signMessage(message);
    return write(JSON.stringify(headers), body);
  };
}

function signMessage(message: object) {
  const body = JSON.stringify(message);
  return {
    body,
    headers: signedHeaders(webhookSecret, 'msg_1', Math.floor(Date.now() / 1_000), body),
  };
}
