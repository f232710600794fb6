import { Cloud, CloudOff, FlaskConical, KeyRound, Laptop, Search, Coins, Menu as MenuIcon } from 'lucide-react';
import { appMenu, type MenuEntry as AppMenuEntry } from '../../shared/domain/commands/app-menu.ts';
import { commandOf, isCommandId, type CommandId } from '../../shared/domain/commands/command-list.ts';
import { isUnreached } from '../../shared/domain/failures/network-fault.ts';
import { modeIds, type ModeId } from '../../shared/domain/modes.ts';
import { useConnection, useJobsFact, useSettings, useApp } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useFreshUsage, useUsedToday } from '../bridge/use-credits.ts';
import { OnAirChip } from '../features/dictate/index.ts';
import { useKeyFor, useAvailability, useCommandTitle, useKeymap, useRunCommand } from '../lib/commands.tsx';
import { useText, useFormats } from '../lib/text.ts';
import { PracticeState, useChooseMode } from '../parts/connection/connection-form.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Keys } from '../ui/keys.tsx';
import { Mark } from '../ui/mark.tsx';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { PressButton } from '../ui/press-button.tsx';
import { JobsDock } from './jobs-dock.tsx';
import { useOpenSettings, useShellLayer } from './shell-layer.ts';
import css from './title-bar.module.css';
import { WindowControls } from './window-controls.tsx';

export function TitleBar() {
  const t = useText();
  const { mode, isOnline, access } = useConnection();
  const { isRailOpen } = useSettings();
  useFreshUsage();
  return (
    <header className={css['bar']} data-pane="title" aria-label={t('shell.titleBar')}>
      <div className={css['brand']}>
        <AppMenuButton />
        <Mark />
        <b>{t('common.appName')}</b>
      </div>
      <SearchButton />
      <div className={css['end']}>
        <OnAirChip />
        {!isRailOpen && <JobsDock look="ring" />}
        {mode !== 'unset' && (mode !== 'service' || isOnline) && <ModeChip mode={mode} />}
        {mode === 'service' && !isOnline && (
          <Popover
            label={t('shell.offline.title')}
            trigger={
              <PressButton className={css['chip']}>
                <Chip tone="warn" icon={CloudOff}>
                  {t('shell.offline.chip')}
                </Chip>
              </PressButton>
            }
          >
            <p className={css['explained']}>
              <b>{t('shell.offline.title')}.</b> {t('shell.offline.text')}
            </p>
          </Popover>
        )}
        {mode === 'service' && isOnline && (access.isKeyRefused === true ? <RefusedKey /> : <CreditsChip />)}
        <WindowControls />
      </div>
    </header>
  );
}

const modeLooks = {
  practice: { icon: FlaskConical, tone: 'accent', chip: 'shell.practice.chip', text: 'shell.practice.text' },
  local: { icon: Laptop, tone: 'line', chip: 'shell.local.chip', text: 'shell.local.text' },
  service: { icon: Cloud, tone: 'line', chip: 'settings.connection.modes.service', text: 'shell.serviceText' },
} as const;

const silent = { icon: CloudOff, tone: 'warn', chip: 'shell.silent.chip', text: 'shell.silent.text' } as const;

function ModeChip({ mode }: { readonly mode: ModeId }) {
  const t = useText();
  const { key } = useConnection();
  const openSettings = useOpenSettings();
  const { choose, isChoosing, failure } = useChooseMode();
  const isSilent = useJobsFact((jobs) =>
    jobs.some(({ state }) => (state.tag === 'blocked' || state.tag === 'retrying') && isUnreached(state.failure)),
  );
  const { icon, tone, chip, text } = mode === 'service' && isSilent ? silent : modeLooks[mode];
  return (
    <Popover
      label={t(chip)}
      trigger={
        <PressButton className={css['chip']} label={t(chip)}>
          <Chip tone={tone} icon={icon}>
            <span className={mode === 'service' ? 'wide' : undefined}>{t(chip)}</span>
          </Chip>
        </PressButton>
      }
    >
      <p className={css['explained']}>
        <b>{t(chip)}.</b> {t(text)}
      </p>
      <span className="flow gap-6">
        {modeIds
          .filter((other) => other !== mode && (other !== 'service' || key.present))
          .map((other) => (
            <Button key={other} size="sm" isLoading={isChoosing} onPress={() => void choose(other)}>
              {t(`settings.connection.modes.${other}`)}
            </Button>
          ))}
        {!key.present && (
          <Button size="sm" onPress={() => openSettings('connection')}>
            {t('shell.practice.addKey')}
          </Button>
        )}
      </span>
      <PracticeState failure={failure} />
    </Popover>
  );
}

function SearchButton() {
  const t = useText();
  const { show } = useShellLayer();
  const shortcut = useKeyFor()('palette.open');
  return (
    <PressButton className={css['search']} shortcut={shortcut} onPress={() => show('palette')}>
      <Search aria-hidden size={14} strokeWidth={1.75} />
      <span className={css['searchText']}>{t('palette.open')}</span>
      {shortcut && <Keys shortcut={shortcut} />}
    </PressButton>
  );
}

function RefusedKey() {
  const t = useText();
  const openSettings = useOpenSettings();
  const text = t('settings.connection.refused');
  return (
    <PressButton className={css['chip']} label={text} onPress={() => openSettings('connection')}>
      <Chip tone="bad" icon={KeyRound}>
        <span className="wide">{text}</span>
      </Chip>
    </PressButton>
  );
}

/** The service reports no balance, so only what was used today is shown. */
function CreditsChip() {
  const t = useText();
  const formats = useFormats();
  const used = useUsedToday();
  const studio = useStudio();
  const { key, accountToken } = useConnection();
  if (used === null || !key.present) return null;
  const { credits, actionCount, unreportedCount } = used;
  const amount = formats.credits(credits);
  const isUnreported = unreportedCount > 0 && unreportedCount === actionCount;
  const known = unreportedCount > 0 ? 'shell.credits.atLeast' : 'shell.credits.today';
  const text =
    actionCount === 0 ? t('shell.credits.none') : isUnreported ? t('shell.credits.unreported') : t(known, { amount });
  return (
    <div className={css['credits']}>
      <Popover
        label={t('shell.credits.title')}
        trigger={
          <PressButton className={css['chip']} label={text}>
            <Chip tone="line" icon={Coins}>
              <span className="wide">{text}</span>
              <span className="narrow">{isUnreported ? '?' : unreportedCount > 0 ? `≥ ${amount}` : amount}</span>
            </Chip>
          </PressButton>
        }
      >
        <p className={css['explained']}>
          <b>{t('shell.credits.title')}.</b> {t('shell.credits.text')}
        </p>
        <p className={css['explained']}>{t('shell.credits.paid', { count: actionCount })}</p>
        {unreportedCount > 0 && (
          <p className={css['explained']}>{t('shell.credits.unreportedOf', { count: unreportedCount })}</p>
        )}
        {unreportedCount > 0 && !accountToken.present && (
          <>
            <p className={css['explained']}>{t('account.token.reveals')}</p>
            <Button size="sm" icon={KeyRound} onPress={() => void studio.request('accountToken.enter', {})}>
              {t('account.token.enter')}
            </Button>
          </>
        )}
      </Popover>
    </div>
  );
}

function AppMenuButton() {
  const t = useText();
  const { capabilities } = useApp();
  const keyFor = useKeyFor();
  const { layer, show, hide } = useShellLayer();
  const entries = useEntries(layer === 'menu');
  if (capabilities.menuBar) return null;
  return (
    <Menu
      label={t('menu.button')}
      entries={entries}
      isOfShell
      placement="bottom start"
      isOpen={layer === 'menu'}
      onOpenChange={(isOpen) => {
        if (isOpen) show('menu');
        else hide('menu');
      }}
      trigger={<IconButton size="sm" icon={MenuIcon} label={t('menu.button')} shortcut={keyFor('menu.open')} />}
    />
  );
}

function useEntries(isOpen: boolean): readonly MenuEntry[] {
  const t = useText();
  const studio = useStudio();
  const { capabilities } = useApp();
  const { appearance, interfaceLanguage } = useSettings();
  const keymap = useKeymap();
  const { ids, names } = useAvailability();
  const run = useRunCommand();
  const titleOf = useCommandTitle();
  if (!isOpen) return [];

  const available = new Set(ids);
  const chosen = new Set<CommandId>([`appearance.${appearance}`, `language.${interfaceLanguage}`].filter(isCommandId));
  const doing = (id: CommandId) => ({ isDisabled: !available.has(id) && !chosen.has(id), onAction: () => run(id) });
  const isEditing = ids.some((id) => commandOf(id).place === 'editor');
  const toEntry = (entry: AppMenuEntry): readonly MenuEntry[] => {
    switch (entry.kind) {
      case 'separator':
        return ['separator'];
      case 'role': {
        if (entry.role === 'undo' || entry.role === 'redo') {
          const id = `edit.${entry.role}` as const;
          return isEditing ? [{ id, text: titleOf(id), shortcut: keymap.keyOf(id), ...doing(id) }] : [];
        }
        // The other roles are the system's: only its own menu can trigger them.
        const action = entry.role === 'minimize' || entry.role === 'close' ? entry.role : null;
        if (action === null) return [];
        const onAction = () => void studio.request('window.control', { action });
        return [{ id: action, text: t(`menu.roles.${action}`), onAction }];
      }
      case 'submenu': {
        const entries = withoutLooseEnds(entry.entries.flatMap(toEntry));
        const mark = entry.entries.find((inner) => inner.kind === 'command' && inner.isChosen !== null);
        const held = entry.entries.find((inner) => inner.kind === 'command' && inner.isChosen === true);
        if (entries.length === 0) return [];
        const choice = mark && { chosenId: held?.kind === 'command' ? held.id : null };
        return [{ id: entry.id, text: t(entry.title), entries, ...choice }];
      }
      case 'command':
        return [
          {
            id: entry.id,
            text: entry.isChosen === null ? (names[entry.id] ?? titleOf(entry.id)) : t(entry.title),
            shortcut: entry.shortcut,
            ...doing(entry.id),
          },
        ];
    }
  };
  return appMenu({ platform: capabilities.platform, keymap, available, chosen }).flatMap(toEntry);
}

function withoutLooseEnds(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  return entries.filter(
    (entry, index) =>
      entry !== 'separator' || (index > 0 && index < entries.length - 1 && entries[index + 1] !== 'separator'),
  );
}
