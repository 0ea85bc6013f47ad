import { describe, expect, it } from 'vitest';
import { openToken, sealToken } from './sealed-token.ts';
import { sealingKeys } from './sealing-keys.ts';

const keys = sealingKeys('0123456789abcdef0123456789abcdef');
const claims = { issuedAt: 1, expiresAt: 100, principal: ['t', 'a'] as const, conversation: 'c', content: { x: 1 } };

describe('sealToken', () => {
  it('gives back what was sealed, and never for another purpose', () => {
    const token = sealToken(keys, 'pause', claims);
    expect(openToken(keys, 'pause', token, 99)).toEqual(claims);
    for (const purpose of ['link', 'session', 'requestState', 'webhook', 'checkpoint'] as const) {
      expect(() => openToken(keys, purpose, token, 99)).toThrow(
        expect.objectContaining({ code: 'token-invalid' }) as Error,
      );
    }
  });

  it('ends exactly at its time', () => {
    const token = sealToken(keys, 'link', claims);
    expect(() => openToken(keys, 'link', token, 100)).toThrow(
      expect.objectContaining({ code: 'token-expired' }) as Error,
    );
    expect(
      openToken(keys, 'link', sealToken(keys, 'link', { ...claims, expiresAt: null }), Number.MAX_SAFE_INTEGER)
        .expiresAt,
    ).toBeNull();
  });

  it('is opened after a change of keys as long as the old secret is known', () => {
    const token = sealToken(keys, 'pause', claims);
    const rotated = sealingKeys(['another secret of thirty-two bytes', '0123456789abcdef0123456789abcdef']);
    expect(openToken(rotated, 'pause', token, 1)).toEqual(claims);
    expect(sealToken(rotated, 'pause', claims).split('.')[1]).not.toBe(token.split('.')[1]);
    const without = sealingKeys('another secret of thirty-two bytes');
    expect(() => openToken(without, 'pause', token, 1)).toThrow(
      expect.objectContaining({ code: 'token-invalid' }) as Error,
    );
  });

  it('refuses short secrets', () => {
    expect(() => sealingKeys('short')).toThrow(/32 bytes/);
    expect(() => sealingKeys([])).toThrow(/At least one/);
    expect(() => sealingKeys(['0123456789abcdef0123456789abcdef', 'short'])).toThrow(/32 bytes/);
  });

  it('refuses every other form and every change', () => {
    const token = sealToken(keys, 'pause', claims);
    const [version, id, payload = '', mac = ''] = token.split('.');
    const other = sealToken(keys, 'pause', { ...claims, content: { x: 2 } }).split('.');
    const wrong = [
      `tg2.${id}.${payload}.${mac}`,
      `${version}.${id}.${payload}`,
      `${version}.${id}.${payload}.${mac}.x`,
      `${version}.${id}.${other[2]}.${mac}`,
      `${version}.${id}.${payload}.${other[3]}`,
      `${version}.${id}.${payload}.`,
      `${version}.${id}.${payload}.${mac.slice(0, -4)}`,
      `${version}.${id}.${payload}.${mac}AAAA`,
      `${version}.${id}.${payload}.!`,
      `${version}.0000000000000000.${payload}.${mac}`,
    ];
    for (const given of wrong) {
      expect(() => openToken(keys, 'pause', given, 1), given).toThrow(
        expect.objectContaining({ code: 'token-invalid' }) as Error,
      );
    }
  });
});
