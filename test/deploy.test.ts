import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';

const deployed = resolve(import.meta.dirname, '../deploy');

test('the time-outs of Patroni fit in the lease of the leader, and strict mode is on', () => {
  const { dcs } = parse(textOf('patroni/patroni.yml')).bootstrap;
  assert.ok(dcs.loop_wait + 2 * dcs.retry_timeout <= dcs.ttl);
  assert.ok(dcs.synchronous_mode && dcs.synchronous_mode_strict && dcs.failsafe_mode);
  // Each is a check of ./maru doctor.
  const { parameters, recovery_conf: recovery } = dcs.postgresql;
  assert.equal(parameters.synchronous_commit, 'on');
  assert.equal(parameters.jit, 'off');
  assert.equal(parameters.archive_mode, 'on');
  assert.ok(Number.parseInt(parameters.wal_sender_timeout, 10) <= 10);
  // It would delay a standby that takes over.
  assert.equal(recovery, undefined);
});

test('every unit of deploy/patroni that runs always gives up its privileges', () => {
  for (const unit of ['etcd', 'patroni', 'backup', 'maru']) {
    const lines = textOf(`patroni/${unit}.service`).split('\n');
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
      assert.ok(lines.includes(line), `${unit}: ${line}`);
    }
  }
});

test('HAProxy leads to the servers of the cluster and checks their certificates', () => {
  const servers = textOf('patroni/haproxy.cfg').matchAll(/^ {2}server (\w+) (\w+):5432 (.*)$/gm);
  const rows = Array.from(servers, ([, name, host, rest]) => [name, host, rest]);
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
  // CloudNativePG makes the ones that begin with the name of the cluster.
  for (const [, secret] of secrets) {
    assert.ok(secret!.startsWith('maru-db-') || guide.includes(`\`${secret}\``), secret);
  }
  for (const [, host] of texts.matchAll(/@([\w-]+):5432/g)) {
    assert.ok(['maru-db-rw', 'maru-db-ro'].includes(host!), host);
  }
  assert.ok(named.has('Cluster maru-db') && named.has('ObjectStore maru-backups'));
  const set = all.find(({ kind }) => kind === 'StatefulSet')!;
  assert.ok(named.has(`Service ${set.spec.serviceName}`));
  for (const { metadata } of all.filter(({ kind }) => kind !== 'Namespace')) {
    assert.equal(metadata.namespace, 'maru');
  }
});

test('pods of the members service run without privileges, on a file system that is read-only', () => {
  const set = objects().find(({ kind }) => kind === 'StatefulSet')!;
  const { securityContext, containers } = set.spec.template.spec;
  assert.equal(securityContext.runAsNonRoot, true);
  for (const { securityContext: own, ...container } of containers) {
    assert.equal(own.readOnlyRootFilesystem, true);
    assert.equal(own.allowPrivilegeEscalation, false);
    assert.deepEqual(own.capabilities.drop, ['ALL']);
    // Ready while the database is away, so that callers get the service's own 503.
    assert.equal(container.startupProbe.httpGet.path, '/readyz');
    assert.equal(container.readinessProbe.httpGet.path, '/healthz');
  }
});

function objects() {
  return ['namespace', 'database', 'members', 'network'].flatMap((name) =>
    parseAllDocuments(textOf(`kubernetes/${name}.yaml`)).map((document) => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    }),
  );
}

function textOf(path: string): string {
  return readFileSync(join(deployed, path), 'utf8');
}
