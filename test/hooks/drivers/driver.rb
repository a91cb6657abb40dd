# frozen_string_literal: true

# Runs the hooks for the tests as driver.py does.

require File.join(ENV.fetch("HOOKS"), "maru.rb")

logger = Logger.new($stderr, formatter: ->(_, _, _, text) { "#{text}\n" })
MARU = Maru.new(timeout: ENV.fetch("TIMEOUT_MS").to_f / 1000, logger: logger)

def run(call, *given)
  late = []
  save = ->(id, uid) { late << "#{id}=#{uid}" }
  case call
  when "register"
    member = MARU.register(*given)
    [member ? member["svc_uid"] : "-"]
  when "cookies"
    cookies = MARU.sso_cookies(*given)
    cookies.empty? ? ["-"] : cookies
  when "verify"
    verdict = MARU.verify(*given)
    return ["-"] if verdict.nil?

    verdict["sign_in_allowed"] ? ["yes", verdict["membership"]["local_user_id"]] : ["no", verdict["reason"]]
  when "logout"
    ended = MARU.logout(given[0], scope: given[1])
    ended ? [ended[:revoked], *ended[:cookies]] : ["-"]
  when "leave"
    [MARU.leave(*given)]
  when "event"
    [MARU.log_event(given[0], given[1], meta: { amount: 1 }, event_id: given[2]) || "-"]
  when "webhook"
    id, at, signature, body = given
    rack = { "HTTP_WEBHOOK_ID" => id, "HTTP_WEBHOOK_TIMESTAMP" => at, "HTTP_WEBHOOK_SIGNATURE" => signature }
    [MARU.verify_webhook(rack, body)]
  when "flush"
    report = MARU.flush(&save)
    [report[:delivered], report[:pending], *late]
  else
    report = MARU.reconcile(given.each_slice(3), &save)
    [report.values.join("/"), *late]
  end
end

$stdout.sync = true
$stdin.each_line { |line| puts run(*line.chomp.split("\t", -1)).join("\t") }
