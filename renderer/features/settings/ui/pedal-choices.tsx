import css from './pedal-choices.module.css';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import {
  actionOf,
  bitOf,
  buttonsOf,
  choiceKey,
  modelKey,
  pedalActions,
  placeOf,
  type PedalAction,
  type PedalModel,
} from '../../../../shared/domain/pedals/pedals.ts';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useCommandTitle } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { followPedals, type ConnectedPedal } from '../../../parts/pedals/follow-pedals.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { LineAlert } from '../../../ui/line-alert.tsx';
import { Select } from '../../../ui/select.tsx';
import { Hint, SettingRow } from './settings-group.tsx';

/** The connected pedals and what their buttons do. Pedals of one model share their choices, so they share a place here. */
export function PedalChoices() {
  const t = useText();
  const { choices } = useSettings().pedals;
  const [pedals, setPedals] = useState<readonly ConnectedPedal[] | null>(null);
  /** Buttons that were pressed here, by `choiceKey`. */
  const [pressed, setPressed] = useState<readonly string[]>([]);
  /** Changed to open the pedals again. */
  const [attempt, setAttempt] = useState(0);
  useEffect(
    () =>
      followPedals((now) => {
        setPedals(now);
        const held = now.flatMap(({ model, held: buttons }) => [...buttons].map((button) => choiceKey(model, button)));
        if (held.length > 0) setPressed((before) => [...new Set([...before, ...held])]);
      }),
    [attempt],
  );
  if (pedals === null) return null;
  if (pedals.length === 0) return <SettingRow label={t('settings.pedals.none')} hint={t('settings.pedals.noneHint')} />;
  return (
    <section aria-label={t('settings.pedals.list')}>
      <Hint>{t('settings.pedals.press')}</Hint>
      <ul className={css['pedals']}>
        {[...Map.groupBy(pedals, ({ model }) => model)].map(([model, alike]) => (
          <li key={modelKey(model)}>
            <Pedal
              model={model}
              alike={alike}
              buttons={buttonsOf(model, [...Object.keys(choices), ...pressed])}
              onRetry={() => {
                setAttempt((before) => before + 1);
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones = { opening: 'neutral', read: 'ok', refused: 'warn' } as const;

function Pedal({
  model,
  alike,
  buttons,
  onRetry,
}: {
  readonly model: PedalModel;
  readonly alike: readonly ConnectedPedal[];
  readonly buttons: readonly string[];
  readonly onRetry: () => void;
}) {
  const t = useText();
  const titleOf = useCommandTitle();
  const { pedals } = useSettings();
  const change = useSettingsChange();
  const name = alike[0]?.name ?? model.maker;
  const state = (['refused', 'opening'] as const).find((one) => alike.some((pedal) => pedal.state === one)) ?? 'read';
  const held = buttons.filter((button) => alike.some((pedal) => pedal.held.has(button)));
  const nameOf = (button: string) => {
    const place = placeOf(model, button);
    return place === null
      ? t('settings.pedals.button', { number: bitOf(button) + 1 })
      : t(`settings.pedals.places.${place}`);
  };
  const actionName = (action: PedalAction) =>
    action === 'hold' ? t('settings.pedals.hold') : action === 'none' ? t('settings.pedals.nothing') : titleOf(action);
  return (
    <section aria-label={name}>
      <div className={css['head']}>
        <h2 className={css['name']}>{name}</h2>
        <Chip tone={tones[state]}>{t(`settings.pedals.states.${state}`)}</Chip>
      </div>
      {state === 'refused' && <Refused model={model} onRetry={onRetry} />}
      <ul className={css['buttons']}>
        {buttons.map((button) => (
          <li key={button} className={css['button']} data-held={held.includes(button) || undefined}>
            <Select
              label={nameOf(button)}
              options={pedalActions.map((action) => ({ value: action, text: actionName(action) }))}
              value={actionOf(model, button, pedals.choices)}
              onChange={(action) =>
                void change({
                  pedals: { ...pedals, choices: { ...pedals.choices, [choiceKey(model, button)]: action } },
                })
              }
            />
          </li>
        ))}
      </ul>
      <VisuallyHidden elementType="output">
        {held.map((button) => t('settings.pedals.held', { button: nameOf(button) })).join(' ')}
      </VisuallyHidden>
    </section>
  );
}

/** Why a pedal can't be opened, and what helps. */
function Refused({ model, onRetry }: { readonly model: PedalModel; readonly onRetry: () => void }) {
  const t = useText();
  // There several programs can open a device, but none without a rule that permits it.
  const isLinux = useApp().capabilities.platform === 'linux';
  const [vendor, product] = modelKey(model).split(':');
  return (
    <div className={css['refused']}>
      <LineAlert icon={TriangleAlert}>{t(`settings.pedals.${isLinux ? 'refusedLinux' : 'refusedHint'}`)}</LineAlert>
      {isLinux && (
        <code className={css['rule']}>
          {`KERNEL=="hidraw*", ATTRS{idVendor}=="${vendor ?? ''}", ATTRS{idProduct}=="${product ?? ''}", TAG+="uaccess"`}
        </code>
      )}
      <Button size="sm" icon={RotateCw} onPress={onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}
