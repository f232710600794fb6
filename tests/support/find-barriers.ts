import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** A violated rule, with the elements that violate it. */
export interface Barrier {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
}

declare global {
  interface Window {
    /** Present once this load of the page was checked. */
    readonly axe?: { run(of: unknown, options: unknown): Promise<{ readonly violations: readonly Barrier[] }> };
  }
}

export interface BarrierQuestion {
  /** Only rules with one of these tags. */
  readonly tags?: readonly string[];
  /** Only these rules. */
  readonly rules?: readonly string[];
  /** Only elements inside this selector. */
  readonly inside?: string;
}

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds on the present page. The page has no frames, so axe runs in it directly: it is loaded once for each
 * load of the page, and no second window is opened to collect results.
 */
export async function findBarriers(page: Page, { tags, rules, inside }: BarrierQuestion = {}): Promise<Barrier[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(source);
  const runOnly = rules ? { type: 'rule', values: rules } : tags && { type: 'tag', values: tags };
  const options = {
    // Its copy of styles is an inline style, which the policy rightly refuses.
    preload: false,
    // Passed checks are not used, and not transferred out of the page.
    resultTypes: ['violations'],
    ...(runOnly && { runOnly }),
  };
  // The announcer of the widget library names what is loading by its id, which is gone a moment later.
  const context = { include: [[inside ?? 'html']], exclude: [['[data-live-announcer]']] };
  return page.evaluate(
    async ([of, how]) => {
      const { axe } = window;
      if (axe === undefined) throw new Error('axe is not in this page');
      const { violations } = await axe.run(of, how);
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, target }) => ({ html, target })) }));
    },
    [context, options] as const,
  );
}

/** The same as lines, each with its rule and its elements. */
export const axeViolations = async (page: Page, question: BarrierQuestion = {}): Promise<string[]> =>
  (await findBarriers(page, question)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
