import { describe, expect, it } from 'vitest';
import { allowConnection } from '../src/csp.ts';

const source = 'ws://127.0.0.1:4000';

describe('the policy keeps the app’s sources and allows one more source to connect', () => {
  it('adds to connect-src', () => {
    expect(allowConnection("default-src 'none'; connect-src 'self'", source)).toBe(
      `default-src 'none'; connect-src 'self' ${source}`,
    );
  });
  it("replaces 'none', which is allowed only alone", () => {
    expect(allowConnection("connect-src 'none'", source)).toBe(`connect-src ${source}`);
  });
  it('makes connect-src from default-src, which applied to it', () => {
    expect(allowConnection("default-src 'self' https://a.example", source)).toBe(
      `default-src 'self' https://a.example; connect-src 'self' https://a.example ${source}`,
    );
  });
  it('adds nothing if nothing restricts connections', () => {
    expect(allowConnection("script-src 'self'", source)).toBe("script-src 'self'");
  });
  it('extends each policy of a header that has several', () => {
    expect(allowConnection("connect-src 'self', default-src 'none'", source)).toBe(
      `connect-src 'self' ${source}, default-src 'none'; connect-src ${source}`,
    );
  });
  it('recognizes names in any case', () => {
    expect(allowConnection("Connect-Src 'self'", source)).toBe(`Connect-Src 'self' ${source}`);
  });
});
