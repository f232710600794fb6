/**
 * Adds the host's own socket to a Content-Security-Policy and leaves the rest as the app wrote it. Isolated worlds obey
 * the policy too, so without this the preload could not reach main.
 */
export function allowConnection(header: string, source: string): string {
  return header
    .split(',')
    .map((policy) => allowInPolicy(policy, source))
    .join(', ');
}

function allowInPolicy(policy: string, source: string): string {
  const directives = policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '');
  const indexOf = (name: string) => directives.findIndex((d) => d.split(/\s+/)[0]?.toLowerCase() === name);
  const extended = (directive: string) => `${directive.replace(/\s+'none'/i, '')} ${source}`;
  const connect = indexOf('connect-src');
  const fallback = indexOf('default-src');
  if (connect >= 0) directives[connect] = extended(directives[connect] ?? '');
  else if (fallback >= 0)
    directives.push(extended((directives[fallback] ?? '').replace(/^default-src/i, 'connect-src')));
  return directives.join('; ');
}
