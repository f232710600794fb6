import { Captions, Settings, type LucideIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import { useKeyFor } from '../lib/commands.tsx';
import type { Shortcut } from '../lib/hotkeys.ts';
import { useText } from '../lib/text.ts';
import { PressButton } from '../ui/press-button.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { JobsDock } from './jobs-dock.tsx';
import { useOpenSettings } from './open-settings.ts';
import css from './rail.module.css';

/** Sections that exist. A new one is a line here and a route. */
const sections = [{ path: '/', key: 'transcribe', icon: Captions, command: 'section.transcribe' }] as const;

export function Rail() {
  const t = useText();
  const [location, navigate] = useLocation();
  const keyFor = useKeyFor();
  const openSettings = useOpenSettings();
  return (
    <nav className={css['rail']} aria-label={t('shell.mainNavigation')} data-pane="rail">
      {sections.map((section) => (
        <RailLink
          key={section.key}
          icon={section.icon}
          text={t(`shell.sections.${section.key}`)}
          shortcut={keyFor(section.command)}
          current={location === section.path ? 'page' : location.startsWith('/transcripts/') ? 'true' : null}
          onPress={() => {
            navigate(section.path);
          }}
        />
      ))}
      <div className={css['gap']} />
      <CrashGuard isSmall>
        <JobsDock />
      </CrashGuard>
      <RailLink
        icon={Settings}
        text={t('shell.settings.open')}
        shortcut={keyFor('settings.open')}
        current={location.startsWith('/settings') ? 'page' : null}
        onPress={() => {
          openSettings();
        }}
      />
    </nav>
  );
}

function RailLink({
  icon: Icon,
  text,
  shortcut,
  current,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly shortcut: Shortcut | null;
  /** `true`: what is open belongs to this section, and is not its page. */
  readonly current: 'page' | 'true' | null;
  readonly onPress: () => void;
}) {
  return (
    <PressButton
      isLink
      className={css['item']}
      current={current}
      shortcut={shortcut}
      tip={{ text, shortcut, placement: 'end' }}
      onPress={onPress}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      <span className={css['name']}>{text}</span>
    </PressButton>
  );
}
