/** Switches that open a debugger, load foreign code, or weaken the network or the sandbox (S-25). */
const dangerous =
  /^--?(remote-debugging-|inspect|debug|js-flags|load-extension|proxy-|host-rules|host-resolver-rules|ignore-certificate-errors|no-sandbox|disable-web-security|allow-running-insecure-content|disable-site-isolation|user-data-dir|gpu-launcher|renderer-cmd-prefix|utility-cmd-prefix|require|import|eval)/i;

/** The first argument that a packaged app must not start with, or null. */
export const findDangerousSwitch = (argv: readonly string[]): string | null =>
  argv.slice(1).find((argument) => dangerous.test(argument)) ?? null;
