import type { NeededProgram } from '../needed-program.ts';

/** A sample of the guides: how it is run and its output, or the reason that it is not run. */
export type SampleRow = RunSample | { readonly untried: string };

export interface RunSample {
  readonly run: Runtime;
  /** Its output. */
  readonly prints: RegExp;
  /** A library that it needs beside the runtime. */
  readonly needs?: NeededProgram;
  /** The sample runs again until the server has opened the new snapshot, within a second. */
  readonly again?: true;
  /** True if it runs on a data folder that no service uses. */
  readonly stopped?: true;
}

/**
 * `commands` are command lines of Maru and calls of curl, which Node runs and sends in the short form; other shell
 * samples belong to the long form, which runs both in Bash.
 */
export type Runtime = 'commands' | 'bash' | 'node' | 'python3' | 'php' | 'ruby' | 'Rscript';

const analysisTest = 'test/remote/analysis.test.ts runs it in the long form.';

const shopPart = { untried: 'It is a part of a program: samples.test.ts runs them together.' };

/** Every named sample of `docs/en`; the samples run in the order of the documents. One that is not here fails. */
export const sampleList: Readonly<Record<string, SampleRow>> = {
  start: {
    untried: 'npm ci ran before these tests, and they start the service by what npm start runs.',
  },
  lookup: { run: 'commands', prints: /"total":87[^]*"q":"설날"[^]*"axis":"gen_restdeinfo"/ },
  load: { run: 'commands', prints: /file_15099001/ },
  loaded: { run: 'commands', prints: /"관리번호":"0012"/, again: true },
  register: { run: 'commands', prints: /"svc_uid":"svc_/ },
  'python-pages': { run: 'python3', prints: /^\d{3} records$/m },
  'python-search': { run: 'python3', prints: /설날/ },
  'python-pandas': { run: 'python3', needs: 'pandas', prints: /^\d{3} records$/m },
  r: { run: 'Rscript', prints: /^\d{3} records$/m },
  'javascript-pages': { run: 'node', prints: /^\d{3} records$/m },
  excel: { untried: 'Power Query runs in Excel alone, on Windows and macOS.' },
  csv: { run: 'commands', prints: /^$/ },
  ndjson: { run: 'bash', prints: /^\d+$/m },
  parquet: { run: 'bash', prints: /^PAR1$/ },
  duckdb: {
    untried: 'DuckDB is no dependency of the tests, and its httpfs needs a download.',
  },
  'python-parquet': { run: 'python3', needs: 'pyarrow', prints: /^\d{3} records$/m },
  xlsx: { run: 'commands', prints: /^$/ },
  'export-selection': {
    run: 'bash',
    prints: /locdate,dateName\r\n20260926,[^]*\r\n20260925,/,
  },
  processes: { untried: 'test/end-to-end/processes.test.ts starts this command on a free port.' },
  etag: { run: 'bash', prints: /^304$/m },
  region: { run: 'commands', prints: /"강남구"[^]*"facets"/ },
  'query-groups': {
    run: 'commands',
    prints: /"items":\[\{"_sigungu":"\d{5}","count":\d+,"sum\(주차구획수\)":\d+/,
  },
  'query-sort': { run: 'commands', prints: /"주차구획수":"300"[^]*"next":"[^"]*cursor=/ },
  'query-where': { run: 'commands', prints: /"items":\[\{[^]*해오름[^]*"무료"/ },
  'query-values': { run: 'commands', prints: /"value":"공영","count":\d+[^]*"total":2,/ },
  'query-months': { run: 'commands', prints: /"month\(일시\)":"\d{4}-\d\d","지점명":"[^"]+","avg/ },
  'query-dates': { run: 'commands', prints: /"locdate":"20260501"[^]*"locdate":"20260926"/ },
  'query-near': { run: 'commands', prints: /"_distance":\d[^]*"count":5,/ },
  'query-map': { run: 'commands', prints: /"type":"Point"/ },
  'query-sample': { run: 'commands', prints: /"count":10,"total":10,/ },
  'query-join': {
    run: 'commands',
    prints: /^주차장명,주차구획수,_sido,_sigungu\r\n.*,\d\d,\d{5}\r\n/,
  },
  'query-having': { run: 'commands', prints: /"median\(주차구획수\)":[\d.]+\}/ },
  'query-changes': { run: 'commands', prints: /"added":\[.*"totals":/ },
  'query-record': { run: 'bash', prints: /"citation":".*「예시_공영주차장 현황」/ },
  'query-mistake': {
    run: 'commands',
    prints: /"code":"invalid_where"[^]*"suggestions":\["주차구획수"/,
  },
  'agents-curl': { run: 'commands', prints: /공영주차장 현황[^]*"structuredContent":\{/ },
  'agents-claude': {
    untried: 'It needs Claude Code; src/agents and test/agents drive both ways of connecting.',
  },
  'agents-codex': { untried: 'It needs Codex CLI; see agents-claude.' },
  'agents-gemini': { untried: 'It needs Gemini CLI; see agents-claude.' },
  'agents-inspector': { untried: 'It downloads the inspector; see agents-claude.' },
  'add-platform': { run: 'commands', prints: /svck_live_/ },
  'import-members': { run: 'bash', prints: /2 {2}new members/ },
  'sdk-install': { untried: 'test/sdk/package.test.ts packs it and uses what is packed.' },
  'sdk-install-app': { untried: 'It needs the folder of a platform; see sdk-install.' },
  'sdk-server': { run: 'node', prints: /^u-1 svc_/m },
  'sdk-express': {
    untried:
      'It serves until it is stopped: express-sample.test.ts runs it, with users of its own.',
  },
  'sdk-page': { untried: 'It is a page; the client script has tests of its own in a browser.' },
  verify: { run: 'node', prints: /^u-0$/m },
  webhook: {
    untried: 'It is a part of a server; test/docs/webhook-sample.test.ts runs it.',
  },
  'webhook-test': {
    untried: 'It needs the server of a platform; test/members/command-line.test.ts runs it.',
  },
  'two-platforms': { run: 'commands', prints: /localhost:4001[^]*svck_test_/ },
  'check-platform': { run: 'commands', prints: /books/ },
  'shop-settings': { run: 'commands', prints: /^$/ },
  'shop-tables': shopPart,
  'shop-confirm': shopPart,
  'shop-exchange': shopPart,
  'shop-visit': shopPart,
  'shop-orders': shopPart,
  'shop-leave': shopPart,
  'shop-webhooks': shopPart,
  'shop-minute': shopPart,
  'shop-night': shopPart,
  'shop-serve': shopPart,
  'shop-try': shopPart,
  'shop-php-settings': { run: 'commands', prints: /^$/ },
  'shop-php-tables': shopPart,
  'shop-php-confirm': shopPart,
  'shop-php-visit': shopPart,
  'shop-php-exchange': shopPart,
  'shop-php-orders': shopPart,
  'shop-php-leave': shopPart,
  'shop-php-webhooks': shopPart,
  'shop-php-jobs': shopPart,
  'shop-php-serve': shopPart,
  'shop-php-try': shopPart,
  'hook-settings': { run: 'commands', prints: /^$/ },
  'hook-python': { run: 'python3', prints: /^u-1 svc_\w+\n\['svc_sso', 'svc_uid'\]$/m },
  'hook-servers': { run: 'python3', prints: /^saved u-1 svc_\w+\nsigned in u-1\nmarked None$/m },
  'hook-php': { run: 'php', prints: /^u-1 svc_/m },
  'hook-spring': { untried: 'It stands in a Spring application: test/hooks compiles it.' },
  'hook-go': { untried: 'It is a part of a server: test/hooks compiles it.' },
  'hook-ruby': { run: 'ruby', prints: /^u-1 svc_\w+\nsvc_sso\nsvc_uid$/m },
  'hook-shell': { run: 'bash', prints: /^u-1 svc_\w+\nsvc_sso=svcs_/m },
  'hook-curl': { run: 'bash', prints: /"svc_uid":"svc_/ },
  'hook-login': { run: 'bash', prints: /svc_sso=svcs_/ },
  'hook-logout': { run: 'commands', prints: /"revoked":true/ },
  'collect-sample': { run: 'commands', prints: /kma_ncst/ },
  'collect-one': { run: 'commands', prints: /gen_restdeinfo/ },
  'collect-all': { untried: 'At the pace of the portal it takes hours; collect-one is the same.' },
  'collect-schedule': {
    untried: 'It serves until it is stopped; what it runs by itself is collect-timer.',
  },
  'collect-probe': { untried: 'test/harvest/probe.test.ts runs it.' },
  'collect-timer': { run: 'commands', prints: /axes/ },
  'collect-report': { run: 'commands', prints: /kma_ncst[^]*"collectors"/ },
  'collect-file': { run: 'commands', prints: /file_990000001/ },
  'collect-history': { run: 'commands', prints: /^\* 20260831-[^]*20250831-[^]*605 rows/m },
  'collect-load': { run: 'commands', prints: /file_15099002/ },
  'collect-list': { run: 'commands', prints: /datasets \(API/ },
  'collect-demand': {
    untried: 'At the pace of Naver it takes a minute; test/harvest has it at the pace of a test.',
  },
  'collect-catalog': { run: 'commands', prints: /\d/ },
  boundaries: {
    run: 'commands',
    prints: /1 of 1 feature matched[^]*sigungu: 1 region of sigungu.json/,
  },
  serve: { untried: 'It needs the domain and the folder of a real machine.' },
  doctor: { run: 'commands', prints: /cookie domain[^]*strangers/ },
  postgresql: { untried: 'It needs PostgreSQL; the tests of its store have one.' },
  'cluster-certificates': { untried: 'bench/patroni-cluster.ts makes such certificates.' },
  'cluster-install': { untried: 'It installs packages of Debian.' },
  'cluster-start': { untried: 'It needs three machines; bench/fail-over.ts starts their units.' },
  'cluster-settings': { untried: 'bench/fail-over.ts has the first of these addresses.' },
  'cluster-ledgers': { untried: 'It needs the machines of two services.' },
  'cluster-restore': { untried: 'It needs the machines of the cluster, and a backup.' },
  'cluster-erasures': { untried: 'It needs the machines of two services.' },
  'machines-try': { run: 'bash', prints: /Pushed[^]*Pulled[^]*\* \d{8}-\d{4}/ },
  'machines-try-serve': {
    untried: 'It serves until it is stopped; test/remote runs it, with a bucket too.',
  },
  'machines-builder': { untried: 'It is the file of settings of a real machine.' },
  'machines-push-service': { untried: 'It needs systemd.' },
  'machines-push-timer': { untried: 'It needs systemd.' },
  'machines-push-start': { untried: 'It needs systemd.' },
  'machines-follower': { untried: 'It is the file of settings of a real machine.' },
  'machines-check': { untried: 'It needs two machines.' },
  'machines-proxy': { untried: 'It needs nginx and the certificates of a real domain.' },
  'machines-pin': { run: 'bash', prints: /"offset":2,/ },
  'analysis-open': { untried: analysisTest },
  'analysis-secret': { untried: 'DuckDB needs a download for it.' },
  'analysis-find': { untried: analysisTest },
  'analysis-libraries': { untried: analysisTest },
  'analysis-holidays': { untried: analysisTest },
  'analysis-bus-stops': { untried: analysisTest },
  'analysis-spark': { untried: 'It needs Spark.' },
  proxy: { untried: 'It needs nginx and the certificates of a real domain.' },
  unit: { untried: 'It needs systemd.' },
  probes: { run: 'commands', prints: /^ok\nready [\d-]+\n[^]*maru_http_requests_total/ },
  backup: { run: 'commands', prints: /Copied to backup-monday/ },
  restore: { run: 'bash', prints: /intact|rows/, stopped: true },
  operator: { run: 'commands', prints: /svci_[^]*hana +owner/ },
  snapshots: { run: 'commands', prints: /\*/ },
  rollback: { run: 'commands', prints: /\d{8}-\d{4}/ },
  upgrade: { untried: 'It changes the checkout it runs in and needs systemd.' },
};
