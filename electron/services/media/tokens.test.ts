import { expect, it } from 'vitest';
import { createFileTokens, createMediaTokens } from './tokens.ts';
import { fileToken } from '../../sections/context.ts';

it('a file token works in its own window only, and dies with it', () => {
  const tokens = createFileTokens();
  const token = tokens.issue(1, '/home/me/a.mp3');
  expect(fileToken.safeParse(token).success).toBe(true);
  expect([tokens.resolve(1, token), tokens.resolve(2, token), tokens.resolve(1, 'x'.repeat(24))]).toEqual([
    '/home/me/a.mp3',
    null,
    null,
  ]);
  tokens.releaseWindow(1);
  expect(tokens.resolve(1, token)).toBeNull();
});

it('one window can’t fill the memory with tokens: its oldest make room, those of other windows stay', () => {
  const tokens = createFileTokens();
  const [other, first, second] = [tokens.issue(2, '/b'), tokens.issue(1, '/a'), tokens.issue(1, '/a')];
  for (let count = 0; count < 59_999; count += 1) tokens.issue(1, '/a');
  expect([tokens.resolve(1, first), tokens.resolve(1, second), tokens.resolve(2, other)]).toEqual([null, '/a', '/b']);
});

it('a content keeps its media token for the session; one that was erased has none until it is issued again', () => {
  const tokens = createMediaTokens();
  const [gone, stays] = [{ path: '/a.mp3', sha256: 'aa' } as const, { path: '/a.mp3', sha256: 'bb' } as const];
  const [first, other] = [tokens.issue(gone), tokens.issue(stays)];
  expect([tokens.issue(gone), tokens.resolve(first)]).toEqual([first, gone]);
  tokens.forget(['aa']);
  expect([tokens.resolve(first), tokens.isIssued(gone), tokens.resolve(other), tokens.isIssued(stays)]).toEqual([
    null,
    false,
    stays,
    true,
  ]);
  expect(tokens.resolve(tokens.issue(gone))).toEqual(gone);
});
