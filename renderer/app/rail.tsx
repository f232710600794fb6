import { Captions, Settings, type LucideIcon } from 'lucide-react';
import { Button as AriaButton, Link as AriaLink } from 'react-aria-components';
import { useLocation } from 'wouter';
import { useText } from '../lib/text.ts';
import { useHotkey } from '../lib/use-hotkey.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { JobsCard } from './jobs-card.tsx';
import { useOpenSettings } from './open-settings.ts';
import css from './rail.module.css';

/** Sections that exist. A new one is a line here and a route. */
const sections = [{ path: '/', key: 'transcribe', icon: Captions, shortcut: 'Mod+Digit1' }] as const;

export function Rail() {
  const t = useText();
  const [location, navigate] = useLocation();
  const openSettings = useOpenSettings();
  useHotkey('Mod+Digit1', () => {
    navigate('/');
  });
  return (
    <nav className={css['rail']} aria-label={t('shell.mainNavigation')} data-pane="rail">
      {sections.map((section) => (
        <RailLink
          key={section.key}
          icon={section.icon}
          text={t(`shell.sections.${section.key}`)}
          isCurrent={location === section.path}
          onPress={() => {
            navigate(section.path);
          }}
        />
      ))}
      <div className={css['gap']} />
      <JobsCard />
      <Tooltip text={t('shell.settings.open')} shortcut="Mod+Comma" placement="end">
        <AriaButton className={css['item'] ?? ''} onPress={openSettings}>
          <Settings aria-hidden size={18} strokeWidth={1.75} />
          <span className={css['name']}>{t('shell.settings.open')}</span>
        </AriaButton>
      </Tooltip>
    </nav>
  );
}

function RailLink({
  icon: Icon,
  text,
  isCurrent,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly isCurrent: boolean;
  readonly onPress: () => void;
}) {
  return (
    <Tooltip text={text} placement="end">
      <AriaLink
        className={css['item'] ?? ''}
        onPress={onPress}
        {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      >
        <Icon aria-hidden size={18} strokeWidth={1.75} />
        <span className={css['name']}>{text}</span>
      </AriaLink>
    </Tooltip>
  );
}
