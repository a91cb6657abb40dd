/** A sample of the guides: how it is run and what it must say, or why nobody runs it here. */
export type SampleRow = RunSample | { readonly untried: string };

export interface RunSample {
  readonly run: Runtime;
  /** What it prints. */
  readonly says: RegExp;
  /** What the machine must have beside the runtime; the sample is passed over without it. */
  readonly needs?: string;
  /** A running server takes up what was published within a second: the sample is asked again until it has. */
  readonly again?: true;
  /** On a data folder whose service is stopped. */
  readonly stopped?: true;
}

export type Runtime = 'bash' | 'node' | 'python3' | 'java' | 'php' | 'Rscript';

/** Every named sample of `docs/en`, in no order: the order of the documents counts. A sample that is not here fails. */
export const sampleList: Readonly<Record<string, SampleRow>> = {
  start: {
    untried: 'npm ci ran before these tests, and they start the service by what npm start runs.',
  },
  lookup: { run: 'bash', says: /"total":87[^]*"q":"설날"[^]*"axis":"gen_restdeinfo"/ },
  load: { run: 'bash', says: /file_15099001/ },
  loaded: { run: 'bash', says: /"관리번호":"0012"/, again: true },
  register: { run: 'bash', says: /"svc_uid":"svc_/ },
  'python-pages': { run: 'python3', says: /^\d{3} records$/m },
  'python-search': { run: 'python3', says: /설날/ },
  'python-pandas': { run: 'python3', needs: 'pandas', says: /^\d{3} records$/m },
  r: { run: 'Rscript', says: /^\d{3} records$/m },
  'javascript-pages': { run: 'node', says: /^\d{3} records$/m },
  excel: { untried: 'Power Query runs in Excel alone, on Windows and macOS.' },
  csv: { run: 'bash', says: /^$/ },
  ndjson: { run: 'bash', says: /^\d+$/m },
  etag: { run: 'bash', says: /^304$/m },
  region: { run: 'bash', says: /"강남구"[^]*"facets"/ },
  'add-platform': { run: 'bash', says: /svck_live_/ },
  'sdk-install': { untried: 'test/sdk/package.test.ts packs it and uses what is packed.' },
  'sdk-install-app': { untried: 'It needs the folder of a platform; see sdk-install.' },
  'sdk-server': { run: 'node', needs: '@maru/sdk', says: /^u-1 svc_/m },
  'sdk-express': {
    untried:
      'It serves until it is stopped: express-sample.test.ts runs it, with users of its own.',
  },
  'sdk-page': { untried: 'It is a page; the client script has tests of its own in a browser.' },
  verify: { run: 'node', says: /^u-0$/m },
  webhook: {
    untried: 'It is a part of a server; test/docs/webhook-sample.test.ts runs it.',
  },
  'two-platforms': { run: 'bash', says: /localhost:4001[^]*svck_test_/ },
  'check-platform': { run: 'bash', says: /books/ },
  'hook-curl': { run: 'bash', says: /"svc_uid":"svc_/ },
  'hook-php': { run: 'php', needs: 'curl', says: /^svc_/m },
  'hook-python': { run: 'python3', says: /^svc_/m },
  'hook-java': { run: 'java', says: /^svc_/m },
  'hook-spring': {
    untried: 'It stands in a Spring application; the class it calls is run as hook-java.',
  },
  'hook-login': { run: 'bash', says: /svc_sso=svcs_/ },
  'hook-relay-php': { run: 'php', needs: 'curl', says: /^$/ },
  'hook-relay-python': { run: 'python3', says: /^svc_sso$/m },
  'collect-sample': { run: 'bash', says: /kma_ncst/ },
  'collect-one': { run: 'bash', says: /gen_restdeinfo/ },
  'collect-all': { untried: 'At the pace of the portal it takes hours; collect-one is the same.' },
  'collect-schedule': {
    untried: 'It serves until it is stopped; what it runs by itself is collect-timer.',
  },
  'collect-timer': { run: 'bash', says: /axes/ },
  'collect-report': { run: 'bash', says: /kma_ncst[^]*"collectors"/ },
  'collect-file': { run: 'bash', says: /file_990000001/ },
  'collect-history': { run: 'bash', says: /^\* 20260831-[^]*20250831-[^]*605 rows/m },
  'collect-load': { run: 'bash', says: /file_15099002/ },
  'collect-list': { run: 'bash', says: /datasets \(API/ },
  'collect-demand': {
    untried: 'At the pace of Naver it takes a minute; test/harvest has it at the pace of a test.',
  },
  'collect-catalog': { run: 'bash', says: /\d/ },
  serve: { untried: 'It needs the domain and the folder of a real machine.' },
  doctor: { run: 'bash', says: /cookie domain[^]*strangers/ },
  proxy: { untried: 'It needs nginx and the certificates of a real domain.' },
  unit: { untried: 'It needs systemd.' },
  probes: { run: 'bash', says: /^ok\nready [\d-]+\n[^]*maru_http_requests_total/ },
  backup: { run: 'bash', says: /Copied to backup-monday/ },
  restore: { run: 'bash', says: /intact|rows/, stopped: true },
  snapshots: { run: 'bash', says: /\*/ },
  rollback: { run: 'bash', says: /\d{8}-\d{4}/ },
  upgrade: { untried: 'It changes the checkout it runs in and needs systemd.' },
};
