"""Product tokens of headers that crawlers send, as their operators and server logs have them."""

from __future__ import annotations

import pytest
from robocensus import product_token

CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0"
SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/14.1.2"
ANDROID = "Linux; Android 6.0.1; Nexus 5X Build/MMB29P"
MAC = "Macintosh; Intel Mac OS X 10_15_5"

HEADERS = [
    # The crawler is the first product.
    ("Scrapy/2.19 (+https://scrapy.org)", "Scrapy"),
    ("Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot"),
    ("AdsBot-Google (+http://www.google.com/adsbot.html)", "AdsBot-Google"),
    ("Twitterbot/1.0", "Twitterbot"),
    (
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "facebookexternalhit",
    ),
    ("CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"),
    ("DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)", "DuckDuckBot"),
    ("Baiduspider+(+http://www.baidu.com/search/spider.htm)", "Baiduspider"),
    (
        "ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
        "ia_archiver",
    ),
    (
        "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
        "LinkedInBot",
    ),
    ("Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)", "Feedly"),
    ("Expanse, a Palo Alto Networks company, searches across the global IPv4 space", "Expanse"),
    # A text that is a token.
    ("Mediapartners-Google", "Mediapartners-Google"),
    ("360Spider", "360Spider"),
    ("MJ12bot", "MJ12bot"),
    (" GPTBot ", "GPTBot"),
    ("*", "*"),
    ("", ""),
    # After "compatible;".
    ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot"),
    (
        (
            f"Mozilla/5.0 ({ANDROID}) {CHROME} Mobile Safari/537.36 "
            "(compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
        ),
        "Googlebot",
    ),
    (
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; "
            "+http://www.google.com/bot.html) Chrome/125.0.0.0 Safari/537.36"
        ),
        "Googlebot",
    ),
    (
        (
            "DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Googlebot-Mobile/2.1; "
            "+http://www.google.com/bot.html)"
        ),
        "Googlebot-Mobile",
    ),
    (
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 14_7_1 like Mac OS X) {SAFARI} Mobile/15E148 "
            "Safari/604.1 (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html)"
        ),
        "AdsBot-Google-Mobile",
    ),
    ("Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)", "Google-InspectionTool"),
    ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot"),
    ("Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "YandexBot"),
    (
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; "
            "+https://openai.com/gptbot)"
        ),
        "GPTBot",
    ),
    (
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.1; "
            "+https://openai.com/gptbot"
        ),
        "GPTBot",
    ),
    (
        "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
        "Slurp",
    ),
    (
        "Mozilla/5.0 (compatible; Yahoo! Slurp/3.0; http://help.yahoo.com/help/us/ysearch/slurp)",
        "Slurp",
    ),
    (
        "Mozilla/5.0 (compatible; Linux x86_64; Mail.RU_Bot/2.0; +http://go.mail.ru/help/robots)",
        "Mail.RU_Bot",
    ),
    (
        (
            "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile "
            "Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)"
        ),
        "Bytespider",
    ),
    (
        "Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)",
        "PetalBot",
    ),
    ("Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)", "SemrushBot"),
    ("Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "AhrefsBot"),
    ("Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", "MJ12bot"),
    (
        "Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)",
        "DotBot",
    ),
    ("Mozilla/5.0 (compatible; omgili/0.5 +http://omgili.com)", "omgili"),
    ("Mozilla/5.0 (compatible; YouBot (+http://www.you.com))", "YouBot"),
    ("Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0; Foobot/1.0)", "Foobot"),
    # In another comment.
    (
        (
            f"Mozilla/5.0 ({MAC}) {SAFARI} Safari/605.1.15 "
            "(Applebot/0.1; +http://www.apple.com/go/applebot)"
        ),
        "Applebot",
    ),
    (
        (
            f"Mozilla/5.0 ({MAC}) {SAFARI} Safari/600.2.5 "
            "(Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)"
        ),
        "Amazonbot",
    ),
    (
        f"Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) {CHROME} Safari/537.36",
        "Storebot-Google",
    ),
    (
        (
            "Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) "
            f"{CHROME} Mobile Safari/537.36"
        ),
        "Storebot-Google",
    ),
    (
        (
            "Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 "
            "(.NET CLR 3.5.30729; Diffbot/0.1; +http://www.diffbot.com)"
        ),
        "Diffbot",
    ),
    # Another product than those of browsers.
    (
        "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
        "BingPreview",
    ),
    ("Mozilla/5.0 (compatible) AI2Bot (+https://www.allenai.org/crawler)", "AI2Bot"),
    (f"Mozilla/5.0 ({MAC}) {CHROME} (+http://x.org/bot) ExampleBot/1.0", "ExampleBot"),
    # Browsers.
    (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Safari/537.36", "Mozilla"),
    (f"Mozilla/5.0 ({MAC}; rv:126.0) Gecko/20100101 Firefox/126.0", "Mozilla"),
    (f"Mozilla/5.0 ({ANDROID}) {CHROME} Mobile Safari/537.36", "Mozilla"),
    ("Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1)", "Mozilla"),
    # No header at all.
    ("( ; )", "( ; )"),
    ("/", "/"),
]


@pytest.mark.parametrize(("header", "token"), HEADERS)
def test_product_tokens_of_headers_that_crawlers_send(header: str, token: str) -> None:
    assert product_token(header) == token
    assert product_token(header.encode()) == token
    assert product_token(token) == token


def test_a_header_of_any_length_takes_no_time() -> None:
    for part in ("(", "compatible;", "(a; +", "a/1 ", "; ", "compatible; Mozilla ("):
        assert product_token("Mozilla/5.0 " + part * 20_000) is not None
    assert product_token(b"\xff/1.0") == "\udcff/1.0"
