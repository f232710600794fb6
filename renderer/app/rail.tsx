import { Captions, Settings, type LucideIcon } from 'lucide-react';
import { Link as AriaLink } from 'react-aria-components';
import { useLocation } from 'wouter';
import { useKeyFor } from '../lib/commands.tsx';
import type { Shortcut } from '../lib/hotkeys.ts';
import { useText } from '../lib/text.ts';
import { useKeyAttribute } from '../lib/use-key-attribute.ts';
import { Tooltip } from '../ui/tooltip.tsx';
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
      <Tooltip text={t('shell.settings.open')} shortcut={keyFor('settings.open')} placement="end">
        <AriaLink
          className={css['item'] ?? ''}
          onPress={() => {
            openSettings();
          }}
          ref={useKeyAttribute(keyFor('settings.open'))}
          {...(location.startsWith('/settings') ? { 'aria-current': 'page' as const } : {})}
        >
          <Settings aria-hidden size={18} strokeWidth={1.75} />
          <span className={css['name']}>{t('shell.settings.open')}</span>
        </AriaLink>
      </Tooltip>
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
    <Tooltip text={text} shortcut={shortcut} placement="end">
      <AriaLink
        className={css['item'] ?? ''}
        onPress={onPress}
        ref={useKeyAttribute(shortcut)}
        {...(current === null ? {} : { 'aria-current': current })}
      >
        <Icon aria-hidden size={18} strokeWidth={1.75} />
        <span className={css['name']}>{text}</span>
      </AriaLink>
    </Tooltip>
  );
}
