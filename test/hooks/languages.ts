import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pythonPath, type NeededProgram } from '../needed-program.ts';

const root = resolve(import.meta.dirname, '../..');
const drivers = resolve(import.meta.dirname, 'drivers');

/** A language with a file of hooks and the program that runs it for the tests. */
export interface Language {
  readonly name: string;
  readonly needs: readonly NeededProgram[];
  /** Builds the program in a folder, if it must be, and returns its command. */
  readonly build: (folder: string) => readonly [string, ...string[]];
}

export const languages: readonly Language[] = [
  {
    name: 'Python',
    needs: ['python3'],
    // Without site packages, which the hooks do not need.
    build: () => [pythonPath(), '-S', `${drivers}/driver.py`],
  },
  {
    name: 'PHP',
    needs: ['php'],
    build: () => ['php', '-d', 'error_log=/dev/stderr', `${drivers}/driver.php`],
  },
  {
    name: 'Ruby',
    needs: ['ruby'],
    build: () => ['ruby', `${drivers}/driver.rb`],
  },
  { name: 'Go', needs: ['go'], build: buildGo },
  {
    name: 'Java',
    needs: ['javac'],
    build: buildJava,
  },
  {
    name: 'sh',
    needs: ['curl'],
    build: () => ['sh', `${drivers}/driver.sh`],
  },
];

/** Folder of a language's file. */
export function hooksOf(name: string): string {
  return `${root}/examples/${name.toLowerCase()}`;
}

/** Also compiles the sample of the guide, in a package beside the driver's. */
function buildGo(folder: string): readonly [string] {
  writeFileSync(join(folder, 'go.mod'), 'module driver\n\ngo 1.19\n');
  cpSync(`${drivers}/driver.go`, join(folder, 'main.go'));
  cpSync(`${hooksOf('Go')}/maru.go`, join(folder, 'maru/maru.go'));
  const imports = ['context', 'encoding/json', 'io', 'net/http', 'strings', 'driver/maru']
    .map((path) => `import "${path}"\n`)
    .join('');
  mkdirSync(join(folder, 'sample'));
  const sample = `package sample\n\n${imports}\n${sampleOf('hook-go')}\n${ownFunctions}`;
  writeFileSync(join(folder, 'sample/sample.go'), sample);
  execFileSync('go', ['vet', './...'], { cwd: folder, stdio: 'pipe' });
  execFileSync('go', ['build', '-o', 'driver', '.'], { cwd: folder, stdio: 'pipe' });
  return [join(folder, 'driver')];
}

/** Also compiles the sample of the guide, with what it needs of Spring. */
function buildJava(folder: string): readonly [string, ...string[]] {
  const sample = join(folder, 'MemberHooks.java');
  writeFileSync(sample, `${javaImports}${sampleOf('hook-spring')}${ownClasses}`);
  const files = [`${hooksOf('Java')}/Maru.java`, `${drivers}/Driver.java`, sample];
  const sources = [...files, ...Object.keys(spring).map((name) => springSource(folder, name))];
  execFileSync('javac', ['-Xlint:all', '-Werror', '-d', folder, ...sources], { stdio: 'pipe' });
  const format = '-Djava.util.logging.SimpleFormatter.format=%5$s%n';
  return ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', format, '-cp', folder, 'Driver'];
}

function springSource(folder: string, name: string): string {
  const [packageName, simpleName] = [name.slice(0, name.lastIndexOf('.')), name.split('.').at(-1)!];
  const path = join(folder, 'spring', `${simpleName}.java`);
  mkdirSync(join(folder, 'spring'), { recursive: true });
  writeFileSync(path, `package ${packageName};\npublic ${spring[name]}\n`);
  return path;
}

/** The declarations of Spring, Jackson and servlets that the sample uses. */
const spring: Readonly<Record<string, string>> = {
  'org.springframework.context.annotation.Configuration': '@interface Configuration {}',
  'org.springframework.context.annotation.Bean': '@interface Bean {}',
  'org.springframework.core.env.Environment':
    'interface Environment { String getProperty(String key); String getProperty(String key, String fallback); }',
  'org.springframework.stereotype.Component': '@interface Component {}',
  'org.springframework.scheduling.annotation.Async': '@interface Async {}',
  'org.springframework.scheduling.annotation.Scheduled':
    '@interface Scheduled { long fixedDelay() default -1; String cron() default ""; }',
  'org.springframework.transaction.event.TransactionPhase':
    'enum TransactionPhase { AFTER_COMMIT }',
  'org.springframework.transaction.event.TransactionalEventListener':
    '@interface TransactionalEventListener { TransactionPhase phase(); }',
  'com.fasterxml.jackson.databind.JsonNode':
    'interface JsonNode { JsonNode path(String name); String asText(); }',
  'com.fasterxml.jackson.databind.ObjectMapper':
    'class ObjectMapper { public JsonNode readTree(byte[] content) throws java.io.IOException { return null; } }',
  'jakarta.servlet.http.HttpServletRequest':
    'interface HttpServletRequest { String getHeader(String name); }',
  'jakarta.servlet.http.HttpServletResponse':
    'interface HttpServletResponse { void addHeader(String name, String value); }',
};

const javaImports = Object.keys(spring)
  .concat('java.io.IOException', 'java.time.Duration')
  .concat('java.util.List', 'java.util.Map', 'java.util.Optional')
  .map((name) => `import ${name};\n`)
  .join('');

const ownFunctions = `
type session struct{ userID string }

func saveUID(userID, svcUID, email string) error { return nil }
func undoAddress(userID, code, email string) error { return nil }
func setShared(files *session, shared bool) {}
func forgetUID(svcUID string) {}
func userWith(userID string) (maru.User, bool) { return maru.User{}, false }
func confirmedUsers() []maru.User { return nil }
func usersWithoutUID() []maru.User { return nil }
`;

const ownClasses = `
record AddressConfirmed(String email, String userId) {}
interface UserRepository {
    void saveSvcUid(String userId, String svcUid, String email);
    void undoAddress(String userId, String code, String email);
    void forgetSvcUid(String svcUid);
    Optional<Maru.User> find(String userId);
    List<Maru.User> confirmed();
    List<Maru.User> withoutSvcUid();
}
`;

function sampleOf(name: string): string {
  const guide = readFileSync(join(root, 'docs/en/hooks.md'), 'utf8');
  return new RegExp(`^\`\`\`\\w+ ${name}\\n([^]*?)^\`\`\``, 'm').exec(guide)![1]!;
}
