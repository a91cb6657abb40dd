# frozen_string_literal: true

# Runs the hooks for the tests as driver.py does.

require "bigdecimal"
require File.join(ENV.fetch("HOOKS"), "maru.rb")

logger = Logger.new($stderr, formatter: ->(_, _, _, text) { "#{text}\n" })
MARU = Maru.new(timeout: ENV.fetch("TIMEOUT_MS").to_f / 1000, logger: logger)

def run(call, *given)
  late = []
  save = lambda do |id, uid, email|
    raise id if id.end_with?("unsaved")

    late << [id, uid, email].compact.join("=")
    Process.kill("KILL", Process.pid) if ENV["DIE"]
  end
  undo = lambda do |id, code, email|
    raise id if id.end_with?("unsaved")

    late << "#{id}!#{code}!#{email}"
    Process.kill("KILL", Process.pid) if ENV["DIE"]
  end
  case call
  when "register"
    email, id, verified = given.map { |word| word unless word.empty? }
    member = MARU.register(email, id, email_verified: verified && verified == "true")
    [member["svc_uid"] || "-", member["outcome"], member["code"] || "-"]
  when "settle"
    email, id, at = given
    [MARU.register(email, id, requested_at: at)["email"] || "-"]
  when "everywhere"
    [MARU.logout_everywhere(*given)]
  when "cookies"
    MARU.sso_cookies(*given)
  when "verify"
    verdict = MARU.verify(*given)
    return ["-"] if verdict.nil?

    return ["no", verdict["reason"]] unless verdict["sign_in_allowed"]

    ["yes", verdict["membership"]["local_user_id"], *verdict["entitlements"]]
  when "logout"
    ended = MARU.logout(given[0], scope: given[1])
    ended ? [ended[:revoked], *ended[:cookies]] : ["-"]
  when "leave"
    MARU.leave(*given).values_at("outcome", "code").map { |each| each || "-" }
  when "grant", "revoke"
    MARU.public_send(call, *given).values_at("outcome", "code").map { |each| each || "-" }
  when "grant_to", "revoke_from"
    *about, id = given
    changed = MARU.public_send(call.split("_").first, *about, local_user_id: id)
    changed.values_at("outcome", "code").map { |each| each || "-" }
  when "event"
    uid, event, event_id, at = given
    logged = MARU.log_event(uid, event, meta: { amount: BigDecimal("1") }, event_id: event_id, occurred_at: at)
    done = logged["outcome"] == "done"
    [done ? logged["event_id"] : "-", logged["outcome"], logged["code"] || "-"]
  when "webhook"
    id, at, signature, body = given
    rack = { "HTTP_WEBHOOK_ID" => id, "HTTP_WEBHOOK_TIMESTAMP" => at, "HTTP_WEBHOOK_SIGNATURE" => signature }
    [MARU.verify_webhook(rack, body)]
  when "flush"
    report = MARU.flush(on_refused: undo, &save)
    [report[:delivered], report[:pending], *late]
  else
    users = given.map { |word| word.match?(/\A\d+\z/) ? word.to_i : word unless word.empty? }.each_slice(3)
    report = MARU.reconcile(users, &save)
    [report.values.join("/"), *late]
  end
end

$stdout.sync = true
$stdin.each_line { |line| puts run(*line.chomp.split("\t", -1)).join("\t") }
