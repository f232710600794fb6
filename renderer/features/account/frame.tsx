import { ChevronDown, FlaskConical, Gauge, KeyRound, ScrollText, Webhook } from 'lucide-react';
import { createContext, use, type ReactNode } from 'react';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { PressButton } from '../../ui/press-button.tsx';
import css from './account.module.css';
import { TokenMenu } from './token.tsx';

export const accountPages = ['usage', 'keys', 'log', 'webhooks'] as const;
export type AccountPage = (typeof accountPages)[number];

const icons = { usage: Gauge, keys: KeyRound, log: ScrollText, webhooks: Webhook } as const;

export interface AccountPageProps {
  readonly onPage: (page: AccountPage) => void;
}

/** Whether the pages that few need are in sight beside the usage. */
export const ForDevelopers = createContext<{
  readonly isOpen: boolean;
  readonly setIsOpen: (isOpen: boolean) => void;
}>({ isOpen: false, setIsOpen: () => undefined });

interface AccountFrameProps extends AccountPageProps {
  readonly page: AccountPage;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export function AccountFrame({ page, onPage, actions, children }: AccountFrameProps) {
  const t = useText();
  const isPractice = modeOf(useConnection().mode).isPractice;
  const { isOpen, setIsOpen } = use(ForDevelopers);
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('account.title')}</PanelTitle>
          {actions && <PanelActions>{actions}</PanelActions>}
        </>
      }
    >
      <PanelContent label={t(`account.pages.${page}`)}>
        <div className={css['tabsRow']}>
          <nav className="flow gap-2 thin" aria-label={t('account.pages.label')}>
            {(isOpen || page !== 'usage' ? accountPages : (['usage'] as const)).map((name) => {
              const Icon = icons[name];
              return (
                <PressButton
                  key={name}
                  isLink
                  className={css['tab']}
                  current={name === page ? 'page' : null}
                  onPress={() => onPage(name)}
                >
                  <Icon aria-hidden size={16} strokeWidth={1.75} />
                  {t(`account.pages.${name}`)}
                </PressButton>
              );
            })}
            {page === 'usage' && (
              <PressButton className={css['tab']} isExpanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
                {t('account.developers')}
                <ChevronDown aria-hidden size={14} strokeWidth={1.75} />
              </PressButton>
            )}
          </nav>
          {page !== 'webhooks' ? (
            <TokenMenu />
          ) : isPractice ? null : (
            <span className={css['uses']}>
              <KeyRound aria-hidden size={14} strokeWidth={1.75} />
              {t('account.token.usesKey')}
            </span>
          )}
        </div>
        {isPractice && (page === 'usage' || page === 'log') && (
          <div className={css['notice']}>
            <Banner tone="info" icon={FlaskConical} title={t('account.practiceCredits')} />
          </div>
        )}
        <div className={css['body']}>{children}</div>
      </PanelContent>
    </Panel>
  );
}
