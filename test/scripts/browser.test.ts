import { provideBrowser } from '../../scripts/browser.ts';

test('CHROMIUM_PATH is the only candidate, and is used only if it starts', () => {
  process.env.CHROMIUM_PATH = process.execPath;
  expect(provideBrowser()).toBe(process.execPath);
  process.env.CHROMIUM_PATH = '/nowhere/chromium';
  expect(provideBrowser).toThrow('No browser starts');
});
