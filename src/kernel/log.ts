import { logLevels, type LogLevel } from './settings.ts';

/** The only writer to standard output of a service: one event a line, named fields, no objects. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warning(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** True if lines of this level are written; lets a caller skip the work of making fields. */
  isEnabled(level: LogLevel): boolean;
  /** Writes the buffered lines at once; called at the end of the process. */
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
 * Creates a log that writes all lines of one turn of the event loop together. A write for each line would cost
 * a busy server a third of its requests.
 */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  const lineOf = (options.pretty ?? process.stdout.isTTY) ? prettyLine : jsonLine;
  const isEnabled = (level: LogLevel) =>
    logLevels.indexOf(level) >= logLevels.indexOf(options.level);
  let buffer = '';
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    if (buffer === '') return;
    const text = buffer;
    buffer = '';
    write(text);
  }

  function writerOf(level: LogLevel): (event: string, fields?: LogFields) => void {
    if (!isEnabled(level)) return () => {};
    return (event, fields = {}) => {
      buffer += lineOf(level, event, fields);
      if (buffer.length > bufferLengthMax) flush();
      else if (!isScheduled) {
        isScheduled = true;
        setImmediate(flush);
      }
    };
  }

  return {
    debug: writerOf('debug'),
    info: writerOf('info'),
    warning: writerOf('warning'),
    error: writerOf('error'),
    isEnabled,
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
    if (value !== undefined) line += ` ${name}=${withoutControls(String(value))}`;
  }
  return `${line}\n`;
}

/** Removes control characters, which could rewrite the terminal. */
function withoutControls(value: string): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are what it removes.
  return value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

let formattedMs = 0;
let formattedTime = '';

/** Formatting a date costs more than the rest of a line, so a millisecond is formatted once. */
function timestamp(): string {
  const now = Date.now();
  if (now !== formattedMs) {
    formattedMs = now;
    formattedTime = new Date(now).toISOString();
  }
  return formattedTime;
}

/** Limit on the buffered text, past which it is written before the turn ends. */
const bufferLengthMax = 65_536;
