import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';

const deployed = resolve(import.meta.dirname, '../deploy');

test('the time-outs of Patroni fit in the lease of the leader, and strict mode is on', () => {
  const { dcs } = parse(textOf('patroni/patroni.yml')).bootstrap;
  assert.ok(dcs.loop_wait + 2 * dcs.retry_timeout <= dcs.ttl);
  assert.ok(dcs.synchronous_mode && dcs.synchronous_mode_strict && dcs.failsafe_mode);
  // `./maru doctor` checks each of these too.
  const { parameters, recovery_conf: recovery } = dcs.postgresql;
  assert.equal(parameters.synchronous_commit, 'on');
  assert.equal(parameters.jit, 'off');
  assert.equal(parameters.archive_mode, 'on');
  assert.ok(Number.parseInt(parameters.wal_sender_timeout, 10) <= 10);
  // A setting of recovery, such as a delay, would slow a standby that takes over.
  assert.equal(recovery, undefined);
});

test('every unit of systemd gives up its privileges', () => {
  for (const unit of ['patroni/etcd', 'patroni/patroni', 'patroni/backup', 'systemd/maru']) {
    const lines = textOf(`${unit}.service`).split('\n');
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
      assert.ok(lines.includes(line), `${unit}: ${line}`);
    }
  }
});

test('Patroni uses the TLS of Python, since with pyOpenSSL a leader can stop for ever', () => {
  const hidden = 'InaccessiblePaths=-/usr/lib/python3/dist-packages/OpenSSL';
  assert.ok(textOf('patroni/patroni.service').split('\n').includes(hidden));
});

test('HAProxy forwards to the servers of the cluster and checks their certificates', () => {
  const servers = textOf('patroni/haproxy.cfg').matchAll(/^ {2}server (\w+) (\w+):5432 (.*)$/gm);
  const rows = Array.from(servers, ([, name, host, options]) => [name, host, options]);
  const names = ['db1', 'db2', 'db3'];
  assert.deepEqual(
    rows,
    [...names, ...names].map((name) => [name, name, `verifyhost ${name}`]),
  );
});

test('the manifests of Kubernetes name only objects that exist or that their guide names', () => {
  const all = objects();
  const named = new Set(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const texts = JSON.stringify(all);
  const guide = textOf('kubernetes/README.md');
  const secrets = [...texts.matchAll(/"secret(?:Name|KeyRef)":(?:\{"name":)?"([\w-]+)"/g)];
  // CloudNativePG makes the secrets that begin with the name of the cluster.
  for (const [, secret] of secrets) {
    assert.ok(secret!.startsWith('maru-db-') || guide.includes(`\`${secret}\``), secret);
  }
  for (const [, host] of texts.matchAll(/@([\w-]+):5432/g)) {
    assert.ok(['maru-db-rw', 'maru-db-ro'].includes(host!), host);
  }
  assert.ok(named.has('Cluster maru-db') && named.has('ObjectStore maru-backups'));
  const { spec } = all.find(({ metadata }) => metadata.name === 'maru-members')!;
  assert.ok(named.has(`Service ${spec.serviceName}`));
  for (const { metadata } of all.filter(({ kind }) => kind !== 'Namespace')) {
    assert.equal(metadata.namespace, 'maru');
  }
});

test('pods run without privileges, on a file system that is read-only, from one image', () => {
  const workloads = objects().filter(({ spec }) => spec?.template?.spec?.containers !== undefined);
  assert.equal(workloads.length, 3);
  for (const { spec } of workloads) {
    const { securityContext, containers } = spec.template.spec;
    assert.equal(securityContext.runAsNonRoot, true);
    for (const { securityContext: own, image } of containers) {
      assert.equal(own.readOnlyRootFilesystem, true);
      assert.equal(own.allowPrivilegeEscalation, false);
      assert.deepEqual(own.capabilities.drop, ['ALL']);
      assert.equal(image, 'registry.example.com/maru:1.0.0');
    }
  }
});

test('members are ready while the database is away, followers once they have a snapshot', () => {
  // Callers get the service’s own 503.
  assert.equal(containerOf('maru-members').startupProbe.httpGet.path, '/readyz');
  assert.equal(containerOf('maru-members').readinessProbe.httpGet.path, '/healthz');
  assert.equal(containerOf('maru-lookup').readinessProbe.httpGet.path, '/readyz');
});

test('the composed service has no privileges, a read-only root and a health check', () => {
  const { maru } = parse(textOf('compose.yaml')).services;
  assert.equal(maru.read_only, true);
  assert.deepEqual(maru.cap_drop, ['ALL']);
  const [, program, script] = maru.healthcheck.test;
  assert.ok(textOf('Containerfile').includes(`CMD ["${program}", "${script}"]`));
});

test('alerts use metrics that the services have', () => {
  const rules = JSON.stringify(parse(textOf('prometheus/alerts.yml')));
  const sources = globSync('../src/**/*.ts', { cwd: deployed });
  const code = sources.map((path) => textOf(path)).join('');
  for (const [, name] of rules.matchAll(/\b(maru_\w+?)(?:_bucket)?\b(?=[{[ )])/g)) {
    assert.match(code, new RegExp(`\\b${name}\\b`), name);
  }
});

function containerOf(name: string) {
  const workload = objects().find(
    ({ metadata, spec }) => metadata.name === name && spec?.template !== undefined,
  );
  return workload!.spec.template.spec.containers[0];
}

function objects() {
  return ['namespace', 'database', 'members', 'lookup', 'network'].flatMap((name) =>
    parseAllDocuments(textOf(`kubernetes/${name}.yaml`)).map((document) => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    }),
  );
}

function textOf(path: string): string {
  return readFileSync(join(deployed, path), 'utf8');
}
