// The steps of a page in the admin UI, in a comment `<!-- ui … -->` after the text that asks for them, one a line:
//   link                 opens the link that signs in
//   press NAME           the button, link, tab, menu item, option, choice or field with this name
//   type FIELD: text     into a field; if it holds a list, as one of its values
//   see TEXT             waits for it
//   keep NAME: REGION    makes a variable of the shell of what the region shows
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { LINK_FILE } from '../../local/identity/paths.ts';

const ROLES = ['button', 'link', 'tab', 'menuitem', 'option', 'radio', 'checkbox', 'combobox'] as const;
const FIELDS = ['textbox', 'combobox'] as const;

const parsed = (steps: string) =>
  Array.from(steps.matchAll(/^(\w+) ?([^:\n]*)(?:: (.*))?$/gm), ([, verb, name = '', text = '']) => ({
    verb,
    name,
    text,
  }));

/** What a page prints in bold and no step uses, and what a step presses without such a text. */
export const differences = (source: string): string[] => {
  const steps = [...source.matchAll(/^<!-- ui\n([\s\S]*?)^-->$/gm)].flatMap(([, block = '']) =>
    parsed(block),
  );
  const bold = Array.from(source.matchAll(/\*\*([^*]+)\*\*/g), ([, label = '']) =>
    label.replaceAll(/\s+/g, ' '),
  );
  const pressed = steps.filter(({ verb }) => verb === 'press').map(({ name }) => name);
  const used = steps.map(({ name }) => name);
  return [
    ...bold.filter((label) => !used.includes(label)),
    ...pressed.filter((name) => !bold.includes(name)),
  ];
};

/** Does steps in the admin UI of a data folder. Returns the commands of a shell that set what was kept. */
export const doSteps = async (page: Page, steps: string, folder: string): Promise<string> => {
  const kept: string[] = [];
  const one = (roles: readonly Parameters<Page['getByRole']>[0][], name: string) => {
    // Options say more than their names.
    const found = roles.map((role) => page.getByRole(role, { name, exact: role !== 'option' }));
    // What is seen of a choice is its label.
    const label = page.getByRole('radiogroup').getByText(name, { exact: true });
    // A dialog comes last.
    return found
      .reduce((all, each) => all.or(each), label)
      .filter({ visible: true })
      .last();
  };
  for (const { verb, name, text } of parsed(steps)) {
    if (verb === 'link') await page.goto(readFileSync(path.join(folder, LINK_FILE), 'utf8').trim());
    else if (verb === 'press') await one(ROLES, name).click();
    else if (verb === 'see') await page.getByText(name).filter({ visible: true }).first().waitFor();
    else if (verb === 'type') {
      await one(FIELDS, name).fill(text);
      if ((await one(FIELDS, name).getAttribute('aria-haspopup')) !== null)
        await page.keyboard.press('Enter');
    } else {
      const shown = page.getByRole('region', { name: text, exact: true });
      kept.push(`export ${name}='${await shown.textContent()}'`);
    }
  }
  return kept.join('\n');
};
