import { expect, test } from 'vitest';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { World } from './world.ts';

const worlds = process.env['OVOZ_LONG'] ? 20_000 : 2000;
const steps = 600;
const itemCount = 4;
const first = Number(process.env['OVOZ_SEED'] ?? Math.floor(Math.random() * 2 ** 30));

/** The guarantees violated at the end of a world. */
function wrongAtTheEnd(world: World): readonly string[] {
  const wrong = [...world.problems];
  const made = [...world.accounts.a.made, ...world.accounts.b.made];
  for (const [at, { memory, consents, isDisturbed }] of world.items.entries()) {
    const { state, intent } = memory;
    const own = made.filter(({ item }) => item === at);
    if (own.length > 1 + consents) {
      wrong.push(`I2: item ${at} was accepted ${own.length} times with ${consents} consents`);
    }
    const isAtRest = ['done', 'failed', 'cancelled', 'needs-user', 'paused'].includes(state.tag);
    if (!isAtRest) wrong.push(`I1: item ${at} never comes to rest: ${state.tag}`);
    if (state.tag === 'done') {
      const [, id] = /^text of (.+)$/u.exec(state.transcriptId ?? '') ?? [];
      if (!own.some((one) => one.id === id)) wrong.push(`I3: item ${at} has a text that is not its own`);
    } else if (!isDisturbed && consents === 0 && own.length > 0 && state.tag !== 'needs-user') {
      wrong.push(`I1: item ${at} was accepted and ended as ${state.tag} (${intent?.remoteId})`);
    }
  }
  return wrong;
}

test(
  `P-12: ${worlds} worlds of lost answers, deaths, edits, other keys, sleep and people keep I1 to I4 and I7 (seed ${first})`,
  { timeout: 900_000 },
  () => {
    const total = { sends: 0, lost: 0, kills: 0, refusals: 0, done: 0, items: 0 };
    for (let number = 0; number < worlds; number += 1) {
      const world = new World(seededRandom(first + number), itemCount);
      for (let step = 0; step < steps; step += 1) world.step();
      world.calmDown();
      const wrong = wrongAtTheEnd(world);
      if (wrong.length > 0) throw new Error(`world OVOZ_SEED=${first + number}: ${wrong.join('; ')}`);
      for (const name of ['sends', 'lost', 'kills', 'refusals'] as const) total[name] += world.counts[name];
      total.items += itemCount;
      total.done += world.items.filter(({ memory }) => memory.state.tag === 'done').length;
    }
    console.log(JSON.stringify(total));
    // Everything that is guarded against did happen, and most items got their transcript nevertheless.
    expect(Math.min(total.sends, total.lost, total.kills, total.refusals)).toBeGreaterThan(worlds / 4);
    expect(total.done / total.items).toBeGreaterThan(0.5);
  },
);
