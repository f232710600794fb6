import { lazy, Suspense, useMemo, useState, type ComponentType } from 'react';
import type { SectionScreenProps } from '../../lib/section.ts';
import { AccountFrame, accountPages, ForDevelopers, type AccountPage, type AccountPageProps } from './frame.tsx';
import { TokenNeeded, useHasToken } from './token.tsx';

/** Each page is loaded when it is first opened: the chart alone is as large as the rest of the section. */
const pages: Readonly<Record<AccountPage, ComponentType<AccountPageProps>>> = {
  usage: lazy(async () => ({ default: (await import('./usage/usage-page.tsx')).UsagePage })),
  keys: lazy(async () => ({ default: (await import('./keys/keys-page.tsx')).KeysPage })),
  log: lazy(async () => ({ default: (await import('./log/log-page.tsx')).LogPage })),
  webhooks: lazy(async () => ({ default: (await import('./webhooks/webhooks-page.tsx')).WebhooksPage })),
};

export function AccountScreen({ subpath, onSubpath }: SectionScreenProps) {
  const current = accountPages.find((page) => page === subpath) ?? 'usage';
  const Page = pages[current];
  const [isOpen, setIsOpen] = useState(current !== 'usage');
  const developers = useMemo(() => ({ isOpen, setIsOpen }), [isOpen]);
  const onPage = (page: AccountPage) => onSubpath(page === 'usage' ? '' : page);
  const hasToken = useHasToken();
  if ((current === 'keys' || current === 'log') && !hasToken)
    return (
      <ForDevelopers value={developers}>
        <AccountFrame page={current} onPage={onPage}>
          <TokenNeeded page={current} />
        </AccountFrame>
      </ForDevelopers>
    );
  return (
    <ForDevelopers value={developers}>
      <Suspense fallback={<AccountFrame page={current} onPage={onPage} />}>
        <Page onPage={onPage} />
      </Suspense>
    </ForDevelopers>
  );
}
