// Exit code 0 if the service of this container answers.
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`);
process.exitCode = ok ? 0 : 1;
