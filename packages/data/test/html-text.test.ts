import { expect, it } from "vitest";
import { isHtml, readHtml } from "../src/html-text.js";

it.each([
  ["<p>Caf&eacute; &amp; <b>cr&#232;me</b></p><p>more&#x21;</p>", "Café & crème more!"],
  ["<!doctype html><head><meta charset=utf-8><title>T</title></head><body>text</body>", "T text"],
  ["a<script>if (a < b) { x('</p>') }</SCRIPT >b<style>p { }</style>c", "a b c"],
  ["1 < 2 and 3 > 2, <3", "1 < 2 and 3 > 2, <3"],
  ["before<!-- a > b --><!-- open", "before"],
  ["before<script>never closed", "before"],
  ["a <unclosed", "a"],
  ["&unknown; &#0; &#1114112; &lt;p&gt;", "&unknown; <p>"],
  ["", ""],
])("what can be read of %j", (html, text) => expect(readHtml(html)).toBe(text));

// Longer than the tests may take, where time grows with the square.
it.each(["<!--", "<script>", "<a ", "</", "&", "<"])("is found in linear time in many %j", (part) => {
  expect(readHtml(part.repeat(500_000)).length).toBeLessThanOrEqual(500_000 * part.length);
});

it("knows pages by their ending", () => {
  expect(["a.html", "a.HTM", "b.xhtml", "html", "a.txt"].map(isHtml)).toEqual([true, true, true, false, false]);
});
