import { describe, expect, it } from 'vitest';
import { parseElectronArguments } from '../src/argv.ts';

describe('a command line is read as Electron reads it', () => {
  it('takes the first plain word as the app and passes the rest on', () => {
    const parsed = parseElectronArguments(['--no-sandbox', '.', '--flag', 'file']);
    expect(parsed.app).toBe('.');
    expect([...parsed.switches]).toEqual([['no-sandbox', '']]);
  });
  it('reads what Playwright passes', () => {
    const parsed = parseElectronArguments([
      '-r',
      '/loader.js',
      '--no-sandbox',
      '--inspect=0',
      '--remote-debugging-port=0',
      '.',
    ]);
    expect(parsed).toMatchObject({
      app: '.',
      requires: ['/loader.js'],
      inspect: { host: '127.0.0.1', port: 0, wait: false },
    });
    expect(parsed.switches.get('remote-debugging-port')).toBe('0');
  });
  it.each([
    ['--inspect', { host: '127.0.0.1', port: 9229, wait: false }],
    ['--inspect-brk=9300', { host: '127.0.0.1', port: 9300, wait: true }],
    ['--inspect=0.0.0.0:9301', { host: '0.0.0.0', port: 9301, wait: false }],
  ])('recognizes %s', (argument, inspect) => {
    expect(parseElectronArguments([argument, '.']).inspect).toEqual(inspect);
  });
  it('keeps values with equals signs and spaces whole', () => {
    const { switches } = parseElectronArguments(['--use-file-for-fake-audio-capture=/a b=c.wav', '.']);
    expect(switches.get('use-file-for-fake-audio-capture')).toBe('/a b=c.wav');
  });
  it('has no app when none is given', () => {
    expect(parseElectronArguments(['--no-sandbox']).app).toBeNull();
  });
});
