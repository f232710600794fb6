import { expect, test } from '@playwright/test';
import { startFixture, type Fixture } from './start-fixture.ts';

/** Values that a bridge or a menu takes and gives. */
let fixture: Fixture;
test.beforeAll(async () => {
  fixture = await startFixture();
});
test.afterAll(() => fixture.end());

test('values cross the bridge as Electron’s do: functions, symbols, loops, depth and errors', async () => {
  const seen = await fixture.page.evaluate(async () => {
    const { bridged } = window;
    const thrown = (call: () => unknown) => {
      try {
        call();
        return null;
      } catch (error) {
        return [Object.getPrototypeOf(error) === Error.prototype, (error as Error).message];
      }
    };
    const nested = (depth: number) => {
      let value: unknown = [];
      for (let index = 0; index < depth; index += 1) value = [value];
      return value;
    };
    const fn = () => null;
    const value = { fn };
    const poisoned = Object.defineProperty([1], 0, {
      get() {
        throw new Error('boom');
      },
    });
    return {
      function: [bridged.same(fn) === fn, (bridged.same(value) as typeof value).fn === fn],
      alike: [bridged.alike(value, value), bridged.alike(value, { fn })],
      symbols: [
        bridged.own(bridged.symbol),
        bridged.keyed()[bridged.symbol],
        bridged.same(Symbol.iterator) === Symbol.iterator,
        bridged.same(bridged.symbol) === bridged.symbol,
      ],
      loop: [bridged.loop.loop.loop.value, bridged.loop.loop === bridged.loop, Object.isFrozen(bridged.loop)],
      prototype: bridged.prototype(JSON.parse('{"__proto__": {"polluted": true}}')),
      depth: [thrown(() => bridged.alike(nested(999), 0)), thrown(() => bridged.alike(nested(1000), 0))?.[1]],
      errors: {
        argument: thrown(() => bridged.same(poisoned)),
        getter: thrown(() => bridged.getter()),
        throws: thrown(() => bridged.throws()),
        throwsText: thrown(() => bridged.throwsText())?.[0],
        uncloneable: thrown(() => bridged.uncloneable())?.[0],
        rejects: await bridged.rejects().catch((error: unknown) => error instanceof Error),
      },
    };
  });
  expect(seen).toEqual({
    function: [true, true],
    alike: [true, false],
    symbols: [true, 123, true, true],
    loop: [135, true, true],
    prototype: [true, true],
    depth: [null, expect.stringContaining('recursion depth exceeded')],
    errors: {
      argument: [true, 'boom'],
      getter: [true, expect.stringContaining('a getter broke')],
      throws: [true, 'it broke'],
      throwsText: true,
      uncloneable: true,
      rejects: true,
    },
  });
});

test('a menu has the order that its items ask for, no spare separators, and only valid items', async () => {
  const seen = await fixture.app.evaluate(({ Menu, MenuItem }) => {
    type Options = Electron.MenuItemConstructorOptions;
    const labels = (template: (Options | Electron.MenuItem)[]) =>
      Menu.buildFromTemplate(template).items.map((item) => (item.type === 'separator' ? '-' : item.label));
    const { thrown } = globalThis.fixture;
    const line: Options = { type: 'separator' };
    const item = (label: string, options: Options = {}): Options => ({ label, id: label, ...options });
    const menu = Menu.buildFromTemplate([item('1')]);
    return {
      separators: labels([line, item('1'), line, line, item('2'), line]),
      before: labels([item('2'), item('3'), item('1', { before: ['2'] })]),
      after: labels([item('2', { after: ['1'] }), item('3'), item('1')]),
      merged: labels([item('1'), line, item('3'), line, item('2', { after: ['1'] })]),
      groups: labels([
        item('2', { afterGroupContaining: ['1'] }),
        line,
        item('3', { afterGroupContaining: ['2'] }),
        line,
        item('1'),
      ]),
      cycle: labels([item('1', { before: ['2'] }), item('2', { before: ['1'] })]),
      submenu: Menu.buildFromTemplate([{ label: 'x', submenu: [item('2'), line, line, item('1')] }]).items[0]?.submenu
        ?.items.length,
      errors: [
        thrown(() => Menu.buildFromTemplate('text' as unknown as Options[])),
        thrown(() => Menu.buildFromTemplate([{}])),
        thrown(() => Menu.buildFromTemplate([null as unknown as Options])),
        thrown(() => new MenuItem({ label: 'x', type: 'odd' as 'normal' })),
        thrown(() => new MenuItem({ label: 'x', type: 'submenu' })),
        thrown(() => menu.insert(3, new MenuItem({ label: 'x' }))),
        thrown(() => menu.append({ label: 'x' } as Electron.MenuItem)),
      ],
    };
  });
  expect(seen).toEqual({
    separators: ['1', '-', '2'],
    before: ['1', '2', '3'],
    after: ['1', '2', '3'],
    merged: ['1', '2', '-', '3'],
    groups: ['1', '-', '2', '-', '3'],
    cycle: ['2', '1'],
    submenu: 3,
    errors: [
      'Invalid template for Menu: Menu template must be an array',
      'Invalid template for MenuItem: must have at least one of label, role or type',
      'Invalid template for MenuItem: must have at least one of label, role or type',
      'Unknown menu item type: odd',
      'Invalid submenu',
      'Position 3 cannot be greater than the total MenuItem count',
      'Invalid item',
    ],
  });
});
