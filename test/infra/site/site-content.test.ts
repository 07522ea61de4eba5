import { CACHE_CONTROL, contentSecurityPolicy } from '../../../contract/http/security-headers.ts';
import { type Json, synthesize } from '../stack.ts';

const stack = synthesize();

describe('the headers', () => {
  const { ResponseHeadersPolicyConfig } = stack.only('AWS::CloudFront::ResponseHeadersPolicy').Properties;
  const { SecurityHeadersConfig: headers, CustomHeadersConfig: custom } = ResponseHeadersPolicyConfig;

  test('allow scripts only from the site, and calls only to it and where operators sign in', () => {
    const parts: unknown[] = headers.ContentSecurityPolicy.ContentSecurityPolicy['Fn::Join'][1];
    const text = parts.map((part) => (typeof part === 'string' ? part : 'x')).join('');
    expect(text).toBe(contentSecurityPolicy(['https://cuevault-x.auth.x.amazoncognito.com']));
    const directives = new Map(text.split('; ').map((directive) => [directive.split(' ')[0], directive]));
    expect(directives.get('script-src')).toBe("script-src 'self'");
    expect(directives.get('default-src')).toBe("default-src 'none'");
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
  });

  test('enforce HTTPS and declared types, and forbid framing', () => {
    expect(headers).toMatchObject({
      StrictTransportSecurity: {
        AccessControlMaxAgeSec: 63_072_000,
        IncludeSubdomains: true,
        Override: true,
      },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
    });
    expect(custom.Items.map(({ Header }: Json) => Header).sort()).toEqual([
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
    ]);
  });
});

describe('publishing', () => {
  const copies = stack.resources('Custom::CDKBucketDeployment');
  const [hashed, rest] = Object.values(copies);

  test('lets browsers cache hashed files for a year and nothing else', () => {
    expect(hashed?.Properties).toMatchObject({
      Exclude: ['*'],
      Include: ['assets/*'],
      SystemMetadata: { 'cache-control': CACHE_CONTROL.hashed },
    });
    expect(rest?.Properties).toMatchObject({
      Exclude: ['assets/*'],
      SystemMetadata: { 'cache-control': CACHE_CONTROL.other },
    });
    expect(CACHE_CONTROL.hashed).toMatch(/max-age=31536000, immutable/);
    expect(CACHE_CONTROL.other).toBe('no-store');
  });

  test('uploads the page after the files that it references, and keeps those of open pages', () => {
    expect(rest?.DependsOn).toContain(Object.keys(copies)[0]);
    for (const { Properties } of Object.values(copies)) {
      expect(Properties).toMatchObject({ Prune: false, DestinationBucketName: { Ref: 'AdminSiteFiles' } });
    }
  });
});
