import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../tests/support/for-all.ts';
import { planStudio } from '../../tests/support/studio-plan.ts';
import { shownSettings, withAnswer, withChange, type OptimisticSettings, type SettingsChange } from './live-state.tsx';

const stored = planStudio({}).app.settings;
const start: OptimisticSettings = { stored, waiting: [] };

it('when main has answered all of them, exactly what main has is shown, whatever it refused', () => {
  const change = fc.oneof<fc.Arbitrary<SettingsChange>[]>(
    fc.record({ uploadsAtOnce: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ appearance: fc.constantFrom('light', 'dark', 'system') }),
    fc.record({ keepsLog: fc.boolean() }),
  );
  forAll(fc.array(fc.tuple(change, fc.boolean()), { maxLength: 8 }), (steps) => {
    let ahead = steps.reduce((before, [one]) => withChange(before, one), start);
    let held = stored;
    for (const [one, isKept] of steps) {
      if (isKept) held = shownSettings({ stored: held, waiting: [one] });
      ahead = withAnswer(ahead, one, isKept ? held : null);
    }
    expect(ahead.waiting).toEqual([]);
    expect(shownSettings(ahead)).toEqual(held);
  });
});
