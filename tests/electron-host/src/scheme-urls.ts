/**
 * Chromium cannot be taught a scheme from outside, so `app://studio/x` is `http://studio.app.localhost/x` inside it: a
 * secure context with an origin of its own that stays the same from run to run.
 */
const schemes = new Set<string>();

export const knownSchemes: ReadonlySet<string> = schemes;
const standard = new Set<string>();
export function addScheme(scheme: string, isStandard = false): void {
  schemes.add(scheme);
  if (isStandard) standard.add(scheme);
}

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

/** An address as a handler sees it: that of a standard scheme has a host, a path and no port. Throws if it has no host. */
export function normalUrl(url: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  if (scheme === undefined || !standard.has(scheme.toLowerCase())) return url;
  const { hostname, pathname, search, hash } = new URL(url.replace(/^[^:]*/, 'http'));
  return `${scheme.toLowerCase()}://${hostname}${pathname}${search}${hash}`;
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
