import { err, ok, type Result } from '../result/result.ts';

/** Why an address could not be built: a mistake of ours or in the settings, found before anything is sent. */
export type BadAddress = 'base-not-an-address' | 'base-not-secure' | 'value-missing' | 'value-unsafe';

export interface AddressParts {
  readonly baseUrl: string;
  readonly allowsLoopbackHttp: boolean;
  readonly path: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

const loopbackHosts = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/u;

/**
 * The address of a request. Values are encoded whole, so an identifier with any content stays one part of the path; `.`
 * and `..` can't be encoded and are refused. https only, except http on loopback where allowed.
 */
export function buildUrl(parts: AddressParts): Result<URL, BadAddress> {
  const base = URL.parse(parts.baseUrl);
  if (base === null || base.username !== '' || base.password !== '') return err('base-not-an-address');
  if (base.search !== '' || base.hash !== '') return err('base-not-an-address');
  const isLoopback = base.protocol === 'http:' && loopbackHosts.test(base.hostname);
  if (base.protocol !== 'https:' && !(isLoopback && parts.allowsLoopbackHttp)) return err('base-not-secure');

  const path = fillPath(parts.path, parts.values ?? {});
  if (!path.ok) return path;
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/u, '')}${path.value}`);
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return ok(url);
}

function fillPath(path: string, values: Readonly<Record<string, string>>): Result<string, BadAddress> {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    const name = /^\{(\w+)\}$/u.exec(step)?.[1];
    if (name === undefined) {
      steps.push(step);
      continue;
    }
    const value = values[name];
    if (value === undefined || value === '') return err('value-missing');
    if (value === '.' || value === '..' || !value.isWellFormed()) return err('value-unsafe');
    steps.push(encodeURIComponent(value));
  }
  return ok(steps.join('/'));
}
