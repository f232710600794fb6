import { describe, expect, it } from 'vitest';
import { ok } from '../../shared/result/result.ts';
import { askFirst } from './first-answers.ts';

function build() {
  const asked: string[] = [];
  const first = askFirst(async (method) => {
    asked.push(method);
    return ok(`${method} ${String(asked.length)}`);
  });
  return { asked, first };
}

describe('the first answers of a page', () => {
  it('are requested before a page wants them, each once', () => {
    const { asked } = build();
    expect(asked).toEqual(['app.describe', 'jobs.list', 'usage.today', 'usage.rate']);
  });

  it('are used once; a repeated request goes to main', async () => {
    const { first } = build();
    expect(await first.take('jobs.list', {})).toEqual(ok('jobs.list 2'));
    expect(first.take('jobs.list', {})).toBeUndefined();
  });

  it('do not answer a request with more fields, or another request', () => {
    const { first } = build();
    expect(first.take('jobs.list', { part: { number: 3, index: 1 } })).toBeUndefined();
    expect(first.take('jobs.list', null)).toBeUndefined();
    expect(first.take('transcripts.list', {})).toBeUndefined();
    expect(first.take('jobs.list', {})).toBeDefined();
  });

  it('stay current: events that arrive meanwhile are stored in order for the first listener, and only for that one', () => {
    const { first } = build();
    first.hear('jobs.changed', 1);
    first.hear('settings.changed', 'dark');
    first.hear('jobs.changed', 2);
    expect(first.heard('jobs.changed')).toEqual([1, 2]);
    first.hear('jobs.changed', 3);
    expect(first.heard('jobs.changed')).toEqual([]);
    expect(first.heard('settings.changed')).toEqual(['dark']);
  });

  it('store no events that do not change them', () => {
    const { first } = build();
    first.hear('command.invoked', 'files.add');
    expect(first.heard('command.invoked')).toEqual([]);
  });
});
