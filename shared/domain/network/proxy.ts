/** The name and password of a proxy are never stored; one that needs them must be the system's. */
export const proxyModes = ['system', 'none', 'manual'] as const;
export type ProxyMode = (typeof proxyModes)[number];

/** `server` and `port` apply to `manual` only, and are kept while another mode is chosen. */
export interface ProxyChoice {
  readonly mode: ProxyMode;
  readonly server: string;
  readonly port: number;
}

export const defaultProxy: ProxyChoice = { mode: 'system', server: '', port: 8080 };

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Windows networks allow such host names too. Typed by a user, such a word may be a key in the wrong field. */
const systemLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** A typed host, or null. A name and password in it are refused: they would be sent somewhere unintended. */
export const readProxyHost = (text: string): ProxyPlace | null => readPlace(text, label);

interface ProxyPlace {
  readonly host: string;
  readonly port: number | null;
}

function readPlace(text: string, labels: RegExp): ProxyPlace | null {
  const typed = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');
  if (typed === '' || typed.length > 300 || /[\s@/?#\\]/.test(typed)) return null;
  const found = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(typed);
  const host = found?.[1]?.replace(/(?<=.)\.$/, '');
  if (host === undefined) return null;
  const port = found?.[2] === undefined ? null : Number(found[2]);
  if (port !== null && !isPort(port)) return null;
  if (host.startsWith('[')) return URL.canParse(`http://${host}`) ? { host: host.toLowerCase(), port } : null;
  return host.length <= 253 && host.split('.').every((part) => labels.test(part))
    ? { host: host.toLowerCase(), port }
    : null;
}

export const isPort = (port: number): boolean => Number.isSafeInteger(port) && port >= 1 && port <= 65_535;

/** Hosts that never use a proxy: this computer itself, where practice mode and runs from source have their service. */
export const isThisComputer = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

export function proxyFromSystem(answer: string): string | null {
  for (const entry of answer.split(';')) {
    const [kind = '', place = ''] = entry.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return null;
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()];
    const read = scheme === undefined ? null : readPlace(place, systemLabel);
    if (read !== null)
      return `${scheme ?? 'http'}://${read.host}:${String(read.port ?? (scheme === 'https' ? 443 : 80))}`;
  }
  return null;
}

export const manualProxy = ({ mode, server, port }: ProxyChoice): string | null =>
  mode === 'manual' && server !== '' ? `http://${server}:${String(port)}` : null;

/** In the form of a PAC script. `NO_PROXY` lists exact names, suffixes (`.example`) or `*`. */
export function proxyFromEnvironment(env: Readonly<Record<string, string | undefined>>, url: URL): string {
  const variable = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const isExempt = variable('NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const name = entry
        .toLowerCase()
        .replace(/^\*?\./, '')
        .replace(/:\d+$/, '');
      return name === '*' || url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
  const named = variable('HTTPS_PROXY') || variable('ALL_PROXY');
  if (isExempt || named === '') return 'DIRECT';
  const parsed = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return 'DIRECT';
  const isSecure = parsed.protocol === 'https:';
  return `${isSecure ? 'HTTPS' : 'PROXY'} ${parsed.hostname}:${parsed.port === '' ? (isSecure ? '443' : '80') : parsed.port}`;
}
