import { browserCandidates, findBrowser } from '../../scripts/browser.ts';

test('on Linux the headless shell comes first; the path is searched before the folders of distributions', () => {
  const found = browserCandidates({ platform: 'linux', environment: { PATH: '/opt/bin:/usr/bin' } });
  expect(found[0]).toBe('/opt/bin/chromium-headless-shell');
  expect(found.slice(4, 8)).toEqual([
    '/opt/bin/chromium',
    '/usr/bin/chromium',
    '/usr/local/bin/chromium',
    '/snap/bin/chromium',
  ]);
  expect(found).toContain('/opt/bin/google-chrome');
  expect(found).toContain('/usr/bin/microsoft-edge-stable');
});

test('on macOS the applications of the system and of the user are searched', () => {
  const found = browserCandidates({ platform: 'darwin', environment: { HOME: '/Users/ada' } });
  expect(found).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  expect(found).toContain('/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium');
  expect(found).toContain('/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge');
});

test('on Windows the program folders in the environment are searched', () => {
  const environment = { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' };
  const found = browserCandidates({ platform: 'win32', environment });
  expect(found).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
  expect(found).toContain('C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe');
  expect(found).toContain('C:\\Users\\ada\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe');
});

test('CHROMIUM_PATH is the only candidate, and is used only if it starts', () => {
  const before = process.env.CHROMIUM_PATH;
  try {
    process.env.CHROMIUM_PATH = process.execPath;
    expect(findBrowser()).toBe(process.execPath);
    process.env.CHROMIUM_PATH = '/nowhere/chromium';
    expect(findBrowser()).toBeUndefined();
  } finally {
    if (before === undefined) delete process.env.CHROMIUM_PATH;
    else process.env.CHROMIUM_PATH = before;
  }
});
