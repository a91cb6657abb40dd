import { logLevels, type LogLevel } from './settings.ts';

/** The only writer to standard output of a service: one event a line, named fields, no objects. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warning(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** False spares the caller making fields that would be thrown away. */
  writes(level: LogLevel): boolean;
  /** Writes what is kept back; for the end of the process. */
  flush(): void;
}

type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface LogOptions {
  readonly level: LogLevel;
  readonly write?: (text: string) => void;
  /** Readable lines for a terminal instead of JSON. */
  readonly pretty?: boolean;
}

/**
 * Lines of one turn of the event loop are written together: a write each would cost a busy server
 * a third of its requests.
 */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  const line = (options.pretty ?? process.stdout.isTTY) ? prettyLine : jsonLine;
  const lowest = logLevels.indexOf(options.level);
  let kept = '';
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    if (kept === '') return;
    const text = kept;
    kept = '';
    write(text);
  }

  function at(level: LogLevel): (event: string, fields?: LogFields) => void {
    if (logLevels.indexOf(level) < lowest) return () => {};
    return (event, fields = {}) => {
      kept += line(level, event, fields);
      if (kept.length > bufferLengthMax) flush();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
    };
  }

  return {
    debug: at('debug'),
    info: at('info'),
    warning: at('warning'),
    error: at('error'),
    writes: (level) => logLevels.indexOf(level) >= lowest,
    flush,
  };
}

/** A log that writes nothing. */
export const silentLog: Log = createLog({ level: 'silent', pretty: false });

function jsonLine(level: LogLevel, event: string, fields: LogFields): string {
  let line = `{"time":"${timestamp()}","level":"${level}","event":${JSON.stringify(event)}`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return `${line}}\n`;
}

function prettyLine(level: LogLevel, event: string, fields: LogFields): string {
  let line = `${timestamp().slice(11, 19)} ${level === 'info' ? '' : `${level} `}${event}`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += ` ${name}=${plain(String(value))}`;
  }
  return `${line}\n`;
}

/** Control characters in a foreign value could rewrite the terminal. */
function plain(value: string): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are what it removes.
  return value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

let stampedAt = 0;
let stamp = '';

/** Formatting a date costs more than the rest of a line, so a millisecond is formatted once. */
function timestamp(): string {
  const now = Date.now();
  if (now !== stampedAt) {
    stampedAt = now;
    stamp = new Date(now).toISOString();
  }
  return stamp;
}

/** Text of log lines buffered within one turn of the event loop. */
const bufferLengthMax = 65_536;
