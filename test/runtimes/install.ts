import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import projectPackage from '../../package.json' with { type: 'json' };

/** A program that runs JavaScript on a server. */
export interface Runtime {
  readonly name: string;
  /** The package and version that npm installs; null for the runtime of this process. */
  readonly specifier: string | null;
  /** The command and its flags. */
  readonly command: readonly [string, ...string[]];
}

const deno = ['deno', 'run', '--allow-all', '--node-modules-dir=manual'] as const;

export const runtimes: readonly Runtime[] = [
  { name: 'node20', specifier: 'node@20', command: ['node'] },
  { name: 'node22', specifier: 'node@22', command: ['node'] },
  { name: 'node24', specifier: null, command: [process.execPath] },
  { name: 'bun', specifier: 'bun@1', command: ['bun'] },
  { name: 'deno', specifier: 'deno@2', command: deno },
];

/** Installs a runtime into the folder; returns its command with the path of the installed program. */
export function installRuntime(folder: string, { name, specifier, command }: Runtime): string[] {
  if (specifier === null) return [...command];
  const prefix = join(folder, name);
  install(prefix, [specifier]);
  return [join(prefix, 'node_modules/.bin', command[0]), ...command.slice(1)];
}

/** Installs a platform's application: the packed package, the frameworks, and the checks and examples as JavaScript. */
export async function installApplication(folder: string): Promise<string> {
  const application = join(folder, 'application');
  const { devDependencies } = projectPackage;
  install(application, [
    packSdk(folder),
    `hono@${devDependencies.hono}`,
    `@hono/node-server@${devDependencies['@hono/node-server']}`,
    `express@${devDependencies.express}`,
    `fastify@${devDependencies.fastify}`,
  ]);
  for (const name of ['checks', 'platform']) {
    await bundle(`test/runtimes/${name}.ts`, join(application, `${name}.js`));
  }
  return application;
}

/** Installs and builds an application of Next, in which the file of each route exports a handler of the example. */
export async function installNextApplication(folder: string): Promise<string> {
  const application = join(folder, 'next');
  install(application, [packSdk(folder), 'next@16', 'react@19', 'react-dom@19']);
  await bundle('examples/next/platform.ts', join(application, 'platform.js'));
  const files = {
    'next.config.js': `export default { turbopack: { root: import.meta.dirname } };`,
    'routes.js': routesFile,
    'app/route.js': routeFile('GET', 'home', '../routes.js'),
    'app/signup/route.js': routeFile('POST', 'signup', '../../routes.js'),
    'app/login/route.js': routeFile('POST', 'login', '../../routes.js'),
    'app/logout/route.js': routeFile('POST', 'logout', '../../routes.js'),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(application, path)), { recursive: true });
    writeFileSync(join(application, path), text);
  }
  const environment = { MEMBERS_URL: 'http://127.0.0.1:1', API_KEY: 'svck_building' };
  execFileSync(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    cwd: application,
    env: { ...process.env, ...environment, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return application;
}

const root = resolve(import.meta.dirname, '../..');

function install(prefix: string, specifiers: readonly string[]): void {
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, 'package.json'), '{"type":"module","private":true}');
  const flags = ['install', '--no-audit', '--no-fund', '--prefix', prefix];
  execFileSync('npm', [...flags, ...specifiers], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The archive that would be published. */
function packSdk(folder: string): string {
  const packed = join(folder, 'packed');
  mkdirSync(packed, { recursive: true });
  const options = { cwd: join(root, 'sdk'), stdio: 'ignore' } as const;
  execFileSync('npm', ['pack', '--pack-destination', packed], options);
  return join(packed, readdirSync(packed)[0]!);
}

/** Bundles a file as JavaScript, since not every runtime strips types. It imports the package instead of its sources. */
async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    packages: 'external',
    external: ['node:*'],
    plugins: [asPackage],
    tsconfigRaw: {},
  });
}

const asPackage: Plugin = {
  name: 'sources of the package are the package',
  setup(building) {
    building.onResolve({ filter: /sdk\/src\/[\w-]+\.ts$/ }, ({ path }) => {
      const entry = /([\w-]+)\.ts$/.exec(path)![1]!;
      return { path: entry === 'svc' ? '@maru/sdk' : `@maru/sdk/${entry}`, external: true };
    });
  },
};

const routesFile = `import { createPlatform } from './platform.js';

const { MEMBERS_URL: membersUrl, API_KEY: apiKey } = process.env;
const scriptUrl = membersUrl + '/sdk.js';
const options = { membersUrl, apiKey, platform: 'books', scriptUrl, onWarning: console.log };
// Next may load each route by itself; all share one platform.
export const { routes } = (globalThis.platform ??= createPlatform(options));
`;

function routeFile(method: string, name: string, routes: string): string {
  return `import { routes } from '${routes}';\n\nexport const ${method} = routes.${name};\n`;
}
