import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  readonly host: string;
  /** Days from now; negative: in the past. */
  readonly fromDays?: number;
  readonly toDays?: number;
  readonly isSelfSigned?: boolean;
}

const dayMs = 86_400_000;
/** As a certificate writes a time: `20261122031500Z`. */
const asTime = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().replace(/[-:T]/gu, '').replace(/\.\d+/u, '');

const config = `
[ca]
default_ca = own
[own]
dir = .
new_certs_dir = .
database = index.txt
serial = serial
certificate = ca.cert.pem
private_key = ca.key.pem
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
`;

/** An authority for the tests, created anew by openssl; `trust` makes this process trust it until `dispose`. */
export class TestAuthority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ovoz-authority-'));
  #count = 0;
  /** What this process trusted before. */
  #before: string[] | null = null;

  constructor() {
    for (const [name, content] of [
      ['openssl.cnf', config],
      ['index.txt', ''],
      ['serial', '01\n'],
    ] as const)
      writeFileSync(join(this.#folder, name), content);
    this.#makeKey('ca');
    const request = [
      'req',
      '-x509',
      '-new',
      '-config',
      'openssl.cnf',
      '-extensions',
      'authority',
      '-key',
      'ca.key.pem',
    ];
    this.#openssl(...request, '-subj', '/CN=Ovoz tests', '-days', '2', '-out', 'ca.cert.pem');
  }

  /** Every secure connection of this process without an authority of its own uses this one too. */
  trust(): void {
    this.#before ??= getCACertificates('default');
    setDefaultCACertificates([...this.#before, this.#read('ca.cert.pem')]);
  }

  issue({ host, fromDays = -1, toDays = 1, isSelfSigned = false }: CertificateOptions): TestCertificate {
    this.#count += 1;
    const name = String(this.#count);
    this.#makeKey(name);
    writeFileSync(join(this.#folder, `${name}.ext`), `subjectAltName=DNS:${host}\n`);
    const from = ['req', '-new', '-config', 'openssl.cnf', '-key', `${name}.key.pem`, '-subj', `/CN=${host}`];
    if (isSelfSigned) {
      this.#openssl(
        ...from,
        '-x509',
        '-days',
        '1',
        '-addext',
        `subjectAltName=DNS:${host}`,
        '-out',
        `${name}.cert.pem`,
      );
    } else {
      this.#openssl(...from, '-out', `${name}.csr`);
      const dates = ['-startdate', asTime(fromDays), '-enddate', asTime(toDays)];
      const files = ['-extfile', `${name}.ext`, '-in', `${name}.csr`, '-out', `${name}.cert.pem`];
      this.#openssl('ca', '-batch', '-notext', '-config', 'openssl.cnf', ...dates, ...files);
    }
    return { key: this.#read(`${name}.key.pem`), cert: this.#read(`${name}.cert.pem`) };
  }

  dispose(): void {
    if (this.#before !== null) setDefaultCACertificates(this.#before);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #makeKey(name: string): void {
    this.#openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key.pem`);
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'pipe' });
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }
}
