/**
 * Chromium cannot be taught a scheme from outside, so `app://studio/x` is `http://studio.app.localhost/x` inside it: a
 * secure context with an origin of its own that stays the same from run to run.
 */
const schemes = new Set<string>();

export const knownSchemes: ReadonlySet<string> = schemes;
export const addScheme = (scheme: string): void => void schemes.add(scheme);

const appUrl = /^([a-z][a-z0-9+-]*):\/\/([^/?#]*)(.*)$/is;
const browserUrl = /^http:\/\/([^/?#:]+)\.([a-z][a-z0-9+-]*)\.localhost(?=[/?#]|$)(.*)$/is;

export function toBrowserUrl(url: string): string {
  const [, scheme, host, rest] = appUrl.exec(url) ?? [];
  if (scheme === undefined || !schemes.has(scheme.toLowerCase())) return url;
  return `http://${host}.${scheme.toLowerCase()}.localhost${rest?.startsWith('/') ? rest : `/${rest}`}`;
}

export function toAppUrl(url: string): string {
  const [, host, scheme, rest] = browserUrl.exec(url) ?? [];
  return scheme !== undefined && schemes.has(scheme) ? `${scheme}://${host}${rest}` : url;
}

/** `app://studio` for both `app://studio/x` and its form inside the browser; other origins follow the URL standard. */
export function originOf(url: string): string {
  const app = toAppUrl(url);
  const [, scheme, host] = appUrl.exec(app) ?? [];
  if (scheme !== undefined && schemes.has(scheme)) return `${scheme}://${host}`;
  return URL.canParse(app) ? new URL(app).origin : 'null';
}

/** Scheme and host of a request that reached the loopback server; null when it is not for one of our schemes. */
export function schemeOfHost(hostHeader: string): { readonly scheme: string; readonly host: string } | null {
  const [, host, scheme] = /^([^:]+)\.([a-z][a-z0-9+-]*)\.localhost(?::\d+)?$/i.exec(hostHeader) ?? [];
  return scheme !== undefined && host !== undefined && schemes.has(scheme) ? { scheme, host } : null;
}
