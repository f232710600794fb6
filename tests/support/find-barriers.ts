import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** A rule that is broken, with the places where it is. */
export interface Barrier {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
}

declare global {
  interface Window {
    /** Is there once this load of the page was looked at. */
    readonly axe?: { run(of: unknown, options: unknown): Promise<{ readonly violations: readonly Barrier[] }> };
  }
}

export interface BarrierQuestion {
  /** Only rules with one of these tags. */
  readonly tags?: readonly string[];
  /** Only these rules. */
  readonly rules?: readonly string[];
  /** Only what is inside of this selector. */
  readonly inside?: string;
}

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds on a page as it stands. The page has no frames, so axe runs in it as it is: it is read once for each
 * load of the page, and no window is opened beside it to sum up.
 */
export async function findBarriers(page: Page, { tags, rules, inside }: BarrierQuestion = {}): Promise<Barrier[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(source);
  const runOnly = rules ? { type: 'rule', values: rules } : tags && { type: 'tag', values: tags };
  const options = {
    // Its copy of styles is an inline style, which the policy rightly refuses.
    preload: false,
    // What passed is told by nobody, and not carried out of the page.
    resultTypes: ['violations'],
    ...(runOnly && { runOnly }),
  };
  const context = inside === undefined ? null : { include: [[inside]] };
  return page.evaluate(
    async ([of, how]) => {
      const { axe } = window;
      if (axe === undefined) throw new Error('axe is not in this page');
      const { violations } = await axe.run(of ?? document, how);
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, target }) => ({ html, target })) }));
    },
    [context, options] as const,
  );
}

/** The same as lines, each with its rule and its places. */
export const tellBarriers = async (page: Page, question: BarrierQuestion = {}): Promise<string[]> =>
  (await findBarriers(page, question)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
