"""Files written by hand, each of which shows a rule of the original that a reader of the standard would not expect.

A quirk has a name, and one or more files with the crawlers and URLs to ask: every crawler is asked about every URL. The names are listed
a second time in `tests/conformance/mod.rs`, so that none gets lost.
"""

# The bytes of a line that count: kMaxLineLen of robots.cc, less the NUL that ends the buffer.
LINE = 2083 * 8 - 1

CASES = []


def quirk(name, body, urls, agents=("x", "y")):
    """Adds a file to a quirk. Bodies are bytes; an agent that is a list is a crawler with several tokens."""
    CASES.append((name, body, list(agents), list(urls)))


def rules(*lines, agent=b"*"):
    """Returns a file with one group."""
    return b"user-agent: " + agent + b"\n" + b"\n".join(lines) + b"\n"


AB = ["/", "/a", "/ab", "/b", "/a/b"]

# RobotsTxtParser::Parse: bytes to lines.

for n in range(4):
    quirk("bom_prefix_is_skipped", b"\xef\xbb\xbf"[:n] + rules(b"disallow: /a"), AB)
    quirk("bom_prefix_is_skipped", b"\xef\xbb\xbf"[:n] + b"\xef\xbb\xbf" + rules(b"disallow: /a"), AB)
quirk("bom_prefix_is_skipped", b"\xef" + b"\n" + rules(b"disallow: /a"), AB)
quirk("bom_prefix_is_skipped", b"\xbb\xbf" + rules(b"disallow: /a"), AB)
quirk("bom_prefix_is_skipped", b"\xef\xbf" + rules(b"disallow: /a"), AB)
quirk("bom_prefix_is_skipped", b"\xef\xbb\xbf", AB)
quirk("bom_elsewhere_is_text", b"\n\xef\xbb\xbf" + rules(b"disallow: /a"), AB)
quirk("bom_elsewhere_is_text", rules(b"disallow: /a", b"\xef\xbb\xbfdisallow: /b"), AB)
quirk("bom_elsewhere_is_text", rules(b"disallow: \xef\xbb\xbf/a", b"disallow: /b\xef\xbb\xbf"), AB + ["/b%EF%BB%BF"])

for end in (b"\n", b"\r", b"\r\n", b"\n\r", b"\r\r\n", b"\r\n\n", b"\n\r\n", b"\r\r", b"\n\n"):
    body = end.join([b"user-agent: *", b"disallow: /a", b"", b"allow: /ab", b"# end", b"disallow: /b"])
    quirk("line_ends", body, AB)
    quirk("line_ends", end + body + end, AB)
quirk("line_ends", b"user-agent: *\rdisallow: /a\nallow: /ab\r\ndisallow: /b\n\r", AB)
quirk("line_ends", b"user-agent: *\r\n\r\r\n\n\rdisallow: /a", AB)
quirk("other_line_separators_are_text", b"user-agent: *\x0bdisallow: /a\x0cdisallow: /b\n", AB)
quirk("other_line_separators_are_text", "user-agent: *\u2028disallow: /a\n".encode(), AB)
quirk("other_line_separators_are_text", "user-agent: *\ndisallow: /a\x85disallow: /b\x1ddisallow: /\n".encode(), AB)
quirk("last_line_needs_no_end", b"user-agent: *\ndisallow: /a", AB)
quirk("last_line_needs_no_end", b"user-agent: *\ndisallow: /", AB)

for over in (-1, 0, 1, 2):
    long = b"/" + b"a" * (LINE - len(b"disallow: /") + over)
    quirk("line_is_cut_at_16663_bytes", rules(b"disallow: " + long), [long[:-2].decode(), long[:-1].decode(), long.decode(), long.decode() + "b"], ["x"])
    blanks = b" " * (LINE - len(b"disallow: /a") + over)
    quirk("line_is_cut_at_16663_bytes", rules(blanks + b"disallow: /ab"), AB, ["x"])
    quirk("line_is_cut_at_16663_bytes", rules(b"disallow:" + blanks + b"/ab$"), AB, ["x"])
quirk("line_is_cut_at_16663_bytes", b"user-agent:" + b"\t" * LINE + b"x\ndisallow: /a\nuser-agent: y\ndisallow: /b", AB)
quirk("line_is_cut_at_16663_bytes", rules(b"# " + b"c" * LINE + b"\rdisallow: /a"), AB)
quirk("line_is_cut_at_16663_bytes", rules(b"disallow: /a #" + b"c" * LINE + b"disallow: /b"), AB)

quirk("nul_ends_the_text_of_a_line", rules(b"disallow: /a\0b", b"allow: /ab\0$"), AB)
quirk("nul_ends_the_text_of_a_line", rules(b"disallow\0: /a", b"\0disallow: /b"), AB)
quirk("nul_ends_the_text_of_a_line", b"user-agent: x\0y\ndisallow: /a\nuser-agent: *\0\ndisallow: /b", AB)
quirk("nul_ends_the_text_of_a_line", rules(b"disallow: \0", b"disallow: /a \0# b"), AB)

# RobotsTxtParser::GetKeyAndValueFrom: a line to key and value.

quirk("comment_is_cut_first", rules(b"disallow: /a#b", b"allow: /ab # why", b"#disallow: /b"), AB + ["/a#b"])
quirk("comment_is_cut_first", rules(b"disallow #: /a", b"disa#llow: /", b"disallow: # /b"), AB)
quirk("comment_is_cut_first", b"user-agent: x # a crawler\ndisallow: /a\n#user-agent: y\ndisallow: /b", AB)
for blank in (b" ", b"\t", b"\x0b", b"\x0c", b" \t\x0b\x0c "):
    quirk("ascii_white_space_is_trimmed", blank + b"user-agent" + blank + b":" + blank + b"x" + blank + b"\n" + blank + b"disallow" + blank + b":" + blank + b"/a" + blank, AB)
for blank in ("\xa0", "\u3000", "\u200b", "\x1c", "\x85"):
    quirk("other_white_space_is_text", rules(f"disallow: {blank}/a".encode(), f"{blank}disallow: /b".encode(), f"disallow{blank}: /ab".encode()), AB)
    quirk("other_white_space_is_text", f"user-agent: {blank}x\ndisallow: /a\nuser-agent: y{blank}\ndisallow: /b".encode(), AB)
quirk("first_colon_separates", rules(b"disallow:: /a", b"disallow: :/b", b"disallow: /c:d"), AB + [":/b", "/c", "/c:d"])
quirk("first_colon_separates", b"user-agent: x:y\ndisallow: /a", AB, ["x", "y", "x:y"])
quirk("first_colon_separates", rules(b"disallow /a: b", b"disallow /b:"), AB)
quirk("colon_may_be_missing", b"user-agent x\ndisallow /a\nallow\t \t/ab\nuser-agent y\nDisallow   /b", AB)
quirk("colon_may_be_missing", b"user-agent *\ndisallow\x0b/a\ndisallow /b", AB)
quirk("two_words_only_without_colon", rules(b"disallow /a /b", b"disallow", b"allow now /"), AB)
quirk("two_words_only_without_colon", b"user agent x\ndisallow: /a", AB)
quirk("two_words_only_without_colon", b"user agent: x\ndisallow: /a", AB)
quirk("two_words_only_without_colon", rules(b"disallow /a # b", b"disallow /b\x0c/c"), AB + ["/b\f/c"])
quirk("empty_key_is_no_directive", rules(b": /a", b" : disallow: /", b":", b"disallow: /b"), AB)

# GetKeyType: keys.

for key in (b"user-agent", b"useragent", b"user agent", b"USER-AGENT", b"User-Agents", b"user-agent-of", b"useragentx", b"user_agent", b"user-agen", b"user  agent", b" user-agent", b"x-user-agent"):
    quirk("agent_keys", key + b": x\ndisallow: /a\n", AB)
for key in (b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw", b"DISALLOW", b"Disallowed", b"disallow-all", b"disalow2", b"disllow", b"dis-allow", b"disallo", b"dissallaw", b"xdisallow"):
    quirk("disallow_keys", rules(key + b": /a", b"allow: /ab"), AB)
    quirk("disallow_keys", rules(key + b" /a"), AB)
for key in (b"allow", b"ALLOW", b"Allowed", b"allow-this", b"alow", b"allaw", b"al low", b"all", b"allow "):
    quirk("allow_keys", rules(b"disallow: /", key + b": /a"), AB)
for key in (b"sitemap", b"site-map", b"Sitemaps", b"site map", b"crawl-delay", b"host", b"noindex", b"x"):
    quirk("other_keys_do_nothing", b"user-agent: x\n" + key + b": /a\nuser-agent: y\ndisallow: /a", AB)
    quirk("other_keys_do_nothing", b"user-agent: x\ndisallow: /b\n" + key + b": /a\nuser-agent: y\ndisallow: /a", AB)

# MaybeEscapePattern: values.

PERCENT = ["/%c3%a9", "/%C3%A9", "/\u00e9", "/%C3%a9", "/%41", "/A", "/%4", "/%zz", "/%%41", "/%2a", "/%2A", "/*", "/%24", "/$"]
for value in ("/%c3%a9", "/%C3%A9", "/\u00e9", "/%c3\u00e9", "/%41", "/A", "/%4", "/%zz", "/%%41", "/%%4a", "/%2a", "/%24", "/%", "/%a"):
    quirk("pattern_is_escaped_and_url_is_not", rules(b"disallow: " + value.encode()), PERCENT, ["x"])
quirk("pattern_is_escaped_and_url_is_not", rules(b"disallow: /\xe9", b"disallow: /\xff\xfe"), ["/%E9", "/\udce9", "/%e9", "/%FF%FE", "/\u00ff"])
quirk("pattern_is_escaped_and_url_is_not", rules(b"disallow: /%a%c3x", b"disallow: /b%"), ["/%a%C3x", "/%A%C3x", "/%a%c3x", "/b%", "/b"])
quirk("escaped_length_is_the_priority", rules("disallow: /\u00e9*".encode(), b"allow: /*aaaaa"), ["/%C3%A9aaaaa", "/aaaaa"])
quirk("escaped_length_is_the_priority", rules("allow: /\u00e9\u00e9".encode(), b"disallow: /********"), ["/%C3%A9%C3%A9", "/aaaa"])
quirk("agent_value_is_not_escaped", "user-agent: x\u00e9\ndisallow: /a\nuser-agent: y%41\ndisallow: /b".encode(), AB, ["x", "y", "x\u00e9", "y%41", "yA"])

# GetPathParamsQuery: a URL to a path.

BODY = rules(b"disallow: /a", b"allow: /a/b", b"disallow: /?", b"disallow: /;", b"disallow: //", b"disallow: /h", b"disallow: /$")
quirk("path_begins_behind_the_scheme", BODY, ["http://h/a", "https://h:8080/a", "ftp://u@h/a/b", "HTTP://H/a", "://h/a", "x://a", "http://h", "http://h/", "http:/h/a", "http:h/a", "mailto:a", "://", "http://", "a://b://c/a"])
quirk("path_begins_behind_two_slashes", BODY, ["//h/a", "//h", "///a", "//", "/", "///", "////a", "//h//a", "//h:80/a/b", "//h?a", "//h;a", "//h#/a", "//h://i/a"])
quirk("slash_before_the_scheme_means_none", BODY, ["/a://h/b", "h/a://i/b", "?a://h/a", ";x://h/a", "/x?u=http://h/a", "h?http://i/a", "a;b://c/a", "/://h/a"])
quirk("path_may_begin_with_query_or_parameters", BODY, ["http://h?a", "http://h;a", "?a", ";a", "a?b", "a;b", "http://h?/a", "http://h;/a", "h?a/b", "?", ";"])
quirk("path_ends_at_the_fragment", BODY, ["/a#b", "/#a", "#/a", "http://h#/a", "http://h/#a", "http://h/a/b#c", "http#://h/a", "/?#", "//h/a#", "#", "http://h/x#?/a", "//#/a", "x#//h/a"])
quirk("path_ends_at_a_nul", rules(b"disallow: /a$", b"disallow: /b\0", b"allow: /b$"), ["/a\0b", "/a", "/b\0c", "/\0a", "\0/a", "http://h\0/a", "/a?\0"])
quirk("no_path_means_slash", BODY, ["", "a", "h.example", "http:", "x y", "http://h.example:80", "\u00e9", "%2Fa"])
quirk("url_is_not_normalised", rules(b"disallow: /a/b", b"disallow: /c//d", b"disallow: /%7Ee", b"disallow: /f/../g"), ["/a/./b", "/x/../a/b", "/c/d", "/c//d", "/~e", "/%7Ee", "/%7ee", "/f/../g", "/g", "/A/b", "/a\\b", " /a/b", "/a/b ", "http://h/a/b", "http://h//a/b"])

# RobotsMatcher::HandleUserAgent and ExtractUserAgent: whom a group is for.

STARS = ["x", "*", "", "foo", "* ", "*foo"]
for value in (b"*", b"* x", b"*\tx", b"*\x0bx", b"*foo", b"**", b"*x", b"* foo bar", b"*/x", b"*#", b"x*", b"x *", b"*-", b"'*'"):
    quirk("star_and_white_space_is_for_all", b"user-agent: " + value + b"\ndisallow: /a\n", AB, STARS)
quirk("star_and_white_space_is_for_all", "user-agent: *\xa0x\ndisallow: /a".encode(), AB, STARS)
for value in (b"Bot/2.1", b"Bot 2.1", b"Bot;x", b"bot2", b"Bot-News", b"Bot_News", b"-Bot", b"_", b"2bot", b"Bot.News", b"Mozilla/5.0 (compatible; Bot/2.1)", "b\u00f6t".encode(), b"BOT", b"Bot*", b"Bot:1"):
    quirk("agent_value_is_cut_at_the_first_other_byte", b"user-agent: " + value + b"\ndisallow: /a\nuser-agent: *\ndisallow: /b", AB, ["Bot", "Bot-News", "Bot_News", "-bot", "_", "Mozilla", "b", ""])
quirk("token_ignores_case", b"user-agent: fOObOT\ndisallow: /a\nuser-agent: BARBOT\ndisallow: /b", AB, ["FooBot", "foobot", "BarBot", "barbot", "FOOBOT"])
for token in ("Agent7bot", "news.example_bot", "A2Bot", "bot/1.0", "the bot", "bot ", " bot"):
    quirk("token_with_other_bytes_never_meets_its_group", b"user-agent: " + token.encode() + b"\ndisallow: /a\nuser-agent: *\ndisallow: /b", AB, [token, token.strip(), "Agent", "news", "A", "bot"])
quirk("token_is_compared_whole", b"user-agent: bot\ndisallow: /a\nuser-agent: bot-news\nallow: /a\ndisallow: /b", AB, ["bot", "bot-news", "bot-new", "bo", "botnews", "bot-newsx"])
quirk("empty_token_meets_empty_values", b"user-agent:\ndisallow: /a\nuser-agent: *\ndisallow: /b", AB, ["", "x", "*"])
quirk("empty_token_meets_empty_values", b"user-agent: 7\ndisallow: /a\nuser-agent: *x\ndisallow: /b", AB, ["", "x", "*", "7"])
quirk("several_tokens_are_one_crawler", b"user-agent: bot\ndisallow: /a\nuser-agent: bot-news\ndisallow: /b\nuser-agent: *\ndisallow: /", AB, [["bot", "bot-news"], ["bot-news", "bot"], ["z", "bot"], ["z"], ["*"], ["z", ""], "bot"])

# RobotsMatcher: groups.

quirk("rules_before_any_agent_are_ignored", b"disallow: /\nallow: /a\nuser-agent: x\ndisallow: /b", AB)
quirk("rules_before_any_agent_are_ignored", b"disallow: /", AB)
quirk("agent_list_ends_at_a_rule", b"user-agent: x\nuser-agent: y\ndisallow: /a\nuser-agent: z\nallow: /\nuser-agent: y\ndisallow: /b", AB, ["x", "y", "z"])
quirk("agent_list_ends_at_a_rule", b"user-agent: x\ndisallow:\nuser-agent: y\ndisallow: /", AB)
quirk("agent_list_ends_at_a_rule", b"user-agent: z\ndisallow: /\nuser-agent: x\nallow /a b\nuser-agent: y\ndisallow: /a", AB)
for between in (b"\n\n", b"# c\n", b"sitemap: http://h/s\n", b"crawl-delay: 1\n", b"nonsense\n", b" \n", b"disallow\n"):
    quirk("other_lines_do_not_end_an_agent_list", b"user-agent: x\n" + between + b"user-agent: y\n" + between + b"disallow: /a\n" + between + b"allow: /ab\n", AB)
quirk("blank_line_does_not_end_a_group", b"user-agent: x\n\ndisallow: /a\n\n\n\nallow: /ab\nuser-agent: y\n\n", AB)
quirk("groups_of_one_agent_are_merged", b"user-agent: x\ndisallow: /a\nuser-agent: y\ndisallow: /b\nuser-agent: X\nallow: /ab\nuser-agent: *\ndisallow: /\n", AB, ["x", "y", "z"])
quirk("groups_of_one_agent_are_merged", b"user-agent: *\ndisallow: /a\nuser-agent: x\nuser-agent: *\nallow: /ab\nuser-agent: *\ndisallow: /b", AB)
quirk("list_with_star_and_token_is_for_the_token", b"user-agent: *\nuser-agent: x\ndisallow: /a\nuser-agent: *\ndisallow: /b", AB)
quirk("list_with_star_and_token_is_for_the_token", b"user-agent: x\nuser-agent: *\ndisallow: /a\nuser-agent: x\ndisallow: /b", AB)
quirk("own_group_hides_the_global_one", b"user-agent: x\nuser-agent: *\ndisallow: /a\nuser-agent: *\ndisallow: /\nuser-agent: y", AB, ["x", "y", "z"])
quirk("own_group_hides_the_global_one", b"user-agent: *\ndisallow: /\nuser-agent: x\nallow:\nuser-agent: y\ndisallow:", AB, ["x", "y", "z"])
quirk("own_group_hides_the_global_one", b"user-agent: *\ndisallow: /\nuser-agent: x\ncrawl-delay: 1\n", AB)

# RobotsMatchStrategy::Matches: patterns.

PATHS = ["/", "/a", "/ab", "/abc", "/a/b", "/a/b/c", "/ba", "/a$", "/a$b", "/a*b", "/a.php", "/a.php?b", "/b.php", "/A", "//a"]
for value in ("/a", "/a*", "/*a", "/a*b", "*", "*a", "/*/b", "/a$", "/a$b", "/a*$", "/*$", "$", "/$", "*$", "/a$$", "/a$*", "a", "a*", "/*.php$", "/*.php", "/**", "*/a*/b*", "/a**b", "/a*b$", "**", "$a", "*.php$*"):
    quirk("star_and_dollar", rules(b"disallow: " + value.encode()), PATHS, ["x"])
    quirk("star_and_dollar", rules(b"disallow: /", b"allow: " + value.encode()), PATHS, ["x"])
quirk("star_and_dollar", rules(b"disallow: /" + b"*a" * 40 + b"$"), ["/" + "a" * n for n in (39, 40, 60)] + ["/" + "a" * 60 + "b"], ["x"])
quirk("path_without_slash_matches_nothing", rules(b"disallow: a", b"disallow: ab", b"disallow: ./", b"disallow: http://h/"), AB + ["a", "http://h/", "./"])
quirk("longest_pattern_wins", rules(b"disallow: /a", b"allow: /a/b", b"disallow: /a/b/c", b"allow: /a/b/c/"), ["/a", "/a/b", "/a/b/c", "/a/b/c/", "/a/b/cd"])
quirk("longest_pattern_wins", rules(b"disallow: /*/b", b"allow: /a/", b"disallow: /a/b$"), ["/a/b", "/a/bc", "/c/b", "/a/"])
quirk("longest_pattern_wins", rules(b"allow: /a*", b"disallow: /ab", b"allow: /ab*****", b"disallow: /abcd"), ["/a", "/ab", "/abc", "/abcd"])
quirk("longest_pattern_wins", rules(b"allow: /page", b"disallow: /*.htm"), ["/page", "/page.htm", "/x.htm"])
quirk("allow_wins_a_tie", rules(b"disallow: /a", b"allow: /a", b"disallow: /b", b"allow: /*"), AB)
quirk("allow_wins_a_tie", rules(b"allow: /$", b"disallow: /*", b"allow: /ab"), AB)
quirk("earliest_line_wins_a_tie", rules(b"disallow: /a", b"disallow: /a", b"allow: /ab", b"disallow: /*", b"allow: /ab", b"allow: /*b"), AB)
quirk("allow_wins_a_tie", rules(b"disallow: /a", b"allow: /a", b"disallow: /b", b"allow: /*", agent=b"x"), AB)
quirk("earliest_line_wins_a_tie", rules(b"disallow: /a", b"disallow: /a", b"allow: /ab", b"disallow: /*", b"allow: /ab", b"allow: /*b", agent=b"x"), AB)
quirk("earliest_line_wins_a_tie", b"user-agent: x\ndisallow: /a\nuser-agent: *\ndisallow: /a\nuser-agent: x\ndisallow: /a", AB)
quirk("empty_pattern_has_priority_0", rules(b"disallow:"), AB)
quirk("empty_pattern_has_priority_0", rules(b"allow:", b"disallow: /a", b"disallow:"), AB)
quirk("empty_pattern_has_priority_0", rules(b"disallow:", b"allow:", b"allow:"), AB)
quirk("empty_pattern_has_priority_0", b"user-agent: *\ndisallow: /\nuser-agent: x\ndisallow:\nallow:", AB)
INDEX = ["/", "/d", "/d/", "/d/x", "/d/index.html", "/d/index.htm", "/d/index.htmx", "/d/?q", "/d/index.php", "/d/e/", "/d/e/index.html"]
for value in ("/d/index.html", "/d/index.htm", "/d/index.htmx", "/d/Index.html", "/d/index.php", "/index.html", "index.html", "/d/index.html$", "/*/index.html", "/d/index.html?q", "/d/index.html/", "/d/*index.html", "//index.htm", "/d/e/index.html", "/d/index.ht", "*/index.htm*"):
    quirk("allow_of_an_index_page_allows_its_directory", rules(b"disallow: /", b"allow: " + value.encode()), INDEX, ["x"])
    quirk("allow_of_an_index_page_allows_its_directory", rules(b"disallow: /d", b"allow: " + value.encode(), b"disallow: /d/e/"), INDEX, ["x"])
    quirk("disallow_of_an_index_page_does_not_reach_its_directory", rules(b"disallow: " + value.encode()), INDEX, ["x"])
quirk("allow_of_an_index_page_allows_its_directory", "user-agent: *\ndisallow: /\u00e9\nallow: /\u00e9/index.html".encode(), ["/%C3%A9/", "/%C3%A9/index.html", "/%C3%A9/x", "/%C3%A9"])

# RobotsMatcher::disallow and matching_line: the verdict and the line.

quirk("line_is_of_the_own_group", b"user-agent: *\ndisallow: /\nuser-agent: x\ndisallow: /a\nallow: /ab", AB)
quirk("line_is_of_the_own_group", b"user-agent: x\ndisallow: /a\nuser-agent: *\nallow: /ab\ndisallow: /b", AB)
quirk("line_of_an_empty_pattern_counts", b"user-agent: x\n\ndisallow:\nuser-agent: y\nallow:\ndisallow:\n", AB)
quirk("line_of_an_empty_pattern_counts", b"user-agent: *\n\n\ndisallow:\ndisallow: /a\nallow:", AB)
quirk("no_rule_means_line_0", b"", AB)
quirk("no_rule_means_line_0", b"\n\n", AB)
quirk("no_rule_means_line_0", b"user-agent: x\nuser-agent: y\n", AB)
quirk("no_rule_means_line_0", b"<!doctype html>\n<title>Not here</title>\n<p>disallow: /a\n<a href=\"http://h/\">user-agent: *</a>", AB)
quirk("robots_txt_is_a_path_as_any_other", rules(b"disallow: /robots.txt"), ["/robots.txt", "/robots.txt?", "http://h/robots.txt", "/"])
quirk("robots_txt_is_a_path_as_any_other", rules(b"disallow: /"), ["/robots.txt", "http://h/robots.txt"])
quirk("prefix_may_end_inside_a_word", rules(b"disallow: /tmp", b"allow: /tmp."), ["/tmp", "/tmphoho", "/tmp.html", "/tmp/", "/tm", "/TMP"])
