import { describe, expect, it } from '@jest/globals';
import { compileTemplate } from '../../index.js';

const parse = (hex: string) =>
  compileTemplate('root = this.decode("hex").parse_msgpack()').run(hex).root;

describe('MessagePack', () => {
  it('sets no memory aside for elements that are not there', () => {
    expect(() => parse('ddffffffff')).toThrow('failed to parse value as MessagePack');
    expect(() => parse('dbffffffff')).toThrow('failed to parse value as MessagePack');
  });

  it('refuses what ends too early and the key __proto__', () => {
    expect(() => parse('81a161')).toThrow('failed to parse value as MessagePack');
    expect(() => parse('81a95f5f70726f746f5f5f80')).toThrow('failed to parse value as MessagePack');
  });

  it('keeps integers of 64 bits', () => {
    const { root } = compileTemplate(
      'root = this.number().format_msgpack().parse_msgpack().string()',
    ).run('5');
    expect(root).toBe('5');
    expect(
      compileTemplate('root = 9007199254740993.format_msgpack().parse_msgpack().string()').run(null)
        .root,
    ).toBe('9007199254740993');
  });
});
